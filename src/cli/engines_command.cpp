#include <algorithm>
#include <string>

#include "cli/command.h"
#include "cli/output.h"
#include "engines/engines.h"

namespace weir::cli {
namespace {

/// The widest text of a column, its title included.
std::size_t width_of(std::string_view title, std::string_view engines::Engine::* column) {
    std::size_t width = title.size();
    for (const engines::Engine& engine : engines::all())
        width = std::max(width, (engine.*column).size());
    return width;
}

void append_cell(std::string& out, std::string_view text, std::size_t width) {
    out += text;
    out.append(width + 2 - text.size(), ' ');
}

std::string table() {
    const auto name_width = width_of("engine", &engines::Engine::name);
    const auto waits_width = width_of("who waits", &engines::Engine::waits);
    std::string text;
    const auto append_row = [&](std::string_view name, std::string_view waits,
                                std::string_view handlers_run) {
        append_cell(text, name, name_width);
        append_cell(text, waits, waits_width);
        text += handlers_run;
        text += '\n';
    };
    append_row("engine", "who waits", "where handlers run");
    for (const engines::Engine& engine : engines::all())
        append_row(engine.name, engine.waits, engine.handlers_run);
    text += "\nauto is " + std::string{engines::find("auto")->name} + " here.\n";
    return text;
}

}  // namespace

int list_engines(std::vector<std::string> arguments) {
    if (!arguments.empty()) {
        const bool help = arguments.front() == "--help" || arguments.front() == "-h";
        if (help) return say("usage: weir engines\nLists what weir serve --engine may be given.\n");
        say_error("weir engines: takes no argument such as '" + arguments.front() + "'\n");
        return exit_code::wrong_use;
    }
    return say(table());
}

}  // namespace weir::cli
