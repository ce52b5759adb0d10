#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/help/table.h"
#include "cli/options/option_reader.h"
#include "engines/engines.h"
#include "server/log/line/log_escape.h"

namespace weir::cli {
namespace {

/// The command's options and their values.
struct EnginesReader {
    EnginesReader() {
        reader.group("Options");
        reader.flag("--json", json, "Print an array of objects, for programs");
        reader.help_flag();
    }

    bool json = false;
    OptionReader reader{
        {.command = "engines",
         .summary = "list the concurrency architectures",
         .usage = "[--json]",
         .description = "Lists the values of --engine: the concurrency architectures of weir. "
                        "For each, it says what waits for clients, where handlers run, what it "
                        "is good and bad at, and whether it runs on this machine."}};
};

std::string_view refusal_of(const engines::Engine& engine) {
    return engine.unavailable ? engine.unavailable() : std::string_view{};
}

std::string as_table() {
    constexpr std::array<std::size_t, 6> widths{21, 4, 20, 20, 22, 22};
    std::vector<Row> rows{
        {"engine", "here", "what waits", "where handlers run", "good at", "bad at"}};
    const auto [best, why] = engines::automatic();
    std::string notes = "\nauto is " + std::string{best.name} + " here: " + why + ".\n";
    for (const engines::Engine& engine : engines::all()) {
        const std::string name{engine.name};
        const auto refusal = refusal_of(engine);
        rows.push_back({name, refusal.empty() ? "yes" : "no", std::string{engine.waits},
                        std::string{engine.handlers_run}, std::string{engine.good_at},
                        std::string{engine.bad_at}});
        if (!refusal.empty()) notes += name + " cannot run here: " + std::string{refusal} + ".\n";
    }
    return table(rows, widths) + notes;
}

void append_text(std::string& out, std::string_view name, std::string_view value) {
    out.append("\"").append(name) += "\": \"";
    server::append_escaped(out, value, server::Escape::json);
    out += "\", ";
}

void append_flag(std::string& out, std::string_view name, bool value) {
    out.append("\"").append(name).append("\": ").append(value ? "true, " : "false, ");
}

void append_object(std::string& out, const engines::Engine& engine) {
    const auto refusal = refusal_of(engine);
    out += "  {";
    append_text(out, "name", engine.name);
    append_text(out, "waits", engine.waits);
    append_text(out, "handlers_run", engine.handlers_run);
    append_text(out, "good_at", engine.good_at);
    append_text(out, "bad_at", engine.bad_at);
    append_flag(out, "has_workers", engine.has_workers);
    append_flag(out, "has_queue", engine.has_queue);
    append_flag(out, "has_busy_poll", engine.has_busy_poll);
    append_flag(out, "is_auto", &engine == engines::find("auto"));
    append_flag(out, "available", refusal.empty());
    if (!refusal.empty()) append_text(out, "unavailable_because", refusal);
    out.replace(out.size() - 2, 2, "}");  // replaces the last comma
}

std::string as_json() {
    std::string out = "[\n";
    for (const engines::Engine& engine : engines::all()) {
        if (&engine != engines::all().data()) out += ",\n";
        append_object(out, engine);
    }
    return out += "\n]\n";
}

}  // namespace

int list_engines(std::vector<std::string> arguments) {
    EnginesReader options;
    const auto read = options.reader.read(std::move(arguments), [] {});
    if (!read) return tell(read.error());
    return say(options.json ? as_json() : as_table());
}

Page engines_page() { return EnginesReader{}.reader.page(); }

}  // namespace weir::cli
