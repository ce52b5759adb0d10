#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/config/document.h"
#include "cli/config/printed.h"
#include "cli/config/schema.h"
#include "cli/help/output.h"
#include "cli/launch/secrets.h"
#include "cli/options/option_reader.h"
#include "cli/serve/serve_options.h"
#include "cli/sites/servable.h"
#include "cli/sites/served_site.h"
#include "engines/engines.h"
#include "server/log/target/log_destination.h"
#include "site/page/json.h"
#include "weir/tls/tls.h"

namespace weir::cli {
namespace {

using config::Place;
using config::Problem;

/// The command's options and their values.
struct CheckReader {
    CheckReader() {
        reader.group("Options");
        reader.value("FILE", "", file, parse_text, "The file to check");
        reader.flag("--json", json, "Print an object, for programs");
        reader.flag("--schema", schema, "Print a JSON schema of such files, for editors");
        reader.help_flag();
    }

    std::string file;
    bool json = false;
    bool schema = false;
    OptionReader reader{
        {.command = "check-config",
         .summary = "check a configuration file",
         .usage = "FILE [--json] | --schema",
         .description = "Checks a file for weir serve --config: its keys and values, how they fit "
                        "together, and whether folders and certificates can be opened. Prints "
                        "each problem with its file, line and column."}};
};

/// Collects the things in a configuration that can't be opened.
class Opening {
   public:
    Opening(const config::Document& document, const ServeOptions& options)
        : document_{document}, secrets_{secrets_of(options)} {}

    std::vector<Problem> check(const ServeOptions& options) {
        check_engine(options);
        check_certificates(options);
        check_log(options);
        if (options.sites.empty()) open(options, document_.entries, {});
        for (const NamedSite& site : options.sites) {
            const auto table =
                std::ranges::find(document_.sites, site.place, &config::SiteTable::place);
            open(site.options, table->entries, site.place);
        }
        return std::move(problems_);
    }

   private:
    /// The place of a key; `otherwise` if the table does not have it.
    static Place place_of(const config::Table& table, std::string_view key, Place otherwise = {}) {
        const auto found = std::ranges::find(table, key, &config::Entry::key);
        return found == table.end() ? otherwise : found->place;
    }

    void add(std::string_view key, const std::string& text) {
        problems_.push_back({place_of(document_.entries, key), std::string{key} + ": " + text});
    }

    void open(const SiteOptions& options, const config::Table& table, Place otherwise) {
        std::string why = why_not_served(options.site, secrets_);
        if (why.empty()) {
            const auto site = ServedSite::open(options);
            if (site) return;
            why = site.error();
        }
        // A text such as "--auth: the file ..." names its option; any other text is about the root.
        constexpr std::string_view dashes = "--";
        const bool has_key = why.starts_with(dashes) && why.contains(':');
        const std::string text = has_key ? why.substr(dashes.size()) : "root: " + why;
        problems_.push_back({place_of(table, text.substr(0, text.find(':')), otherwise), text});
    }

    void check_engine(const ServeOptions& options) {
        const engines::Engine* const engine = engines::find(options.server.engine);
        if (engine && engine->unavailable && !engine->unavailable().empty())
            add("engine", std::string{engine->unavailable()});
    }

    /// If there are no certificates, weir makes one when it starts.
    void check_certificates(const ServeOptions& options) {
        if (!options.tls.on) return;
        if (const auto why = tls::unavailable(); !why.empty()) return add("tls", std::string{why});
        if (options.tls.settings.certificates.empty()) return;
        if (const auto layer = tls::open(options.tls.settings); !layer)
            add("tls-cert", layer.error());
    }

    void check_log(const ServeOptions& options) {
        const auto log = server::LogDestination::of(options.server.access_log.path);
        if (!log.is_file()) return;
        std::error_code error;
        const auto folder = std::filesystem::absolute(log.path, error).parent_path();
        if (!std::filesystem::is_directory(folder, error))
            add("access-log", "there is no folder " + folder.string());
    }

    const config::Document& document_;
    const std::vector<Secret> secrets_;
    std::vector<Problem> problems_;
};

Sources sources_of(const config::Document& document) {
    return {.arguments = {}, .has_variables = false, .document = &document};
}

std::vector<Problem> problems_of(const config::Document& document) {
    auto options = serve_options_from(sources_of(document));
    if (options) return Opening{document, *options}.check(*options);
    std::vector<Problem> problems;
    for (const std::string& text : options.error().problems)
        problems.push_back(document.problem_from(text));
    return problems;
}

/// A file, and its problems.
struct Checked {
    explicit Checked(const std::string& file)
        : document{config::read(file)}, problems{problems_of(document)} {
        std::ranges::sort(problems);
    }

    bool is_good() const { return problems.empty(); }

    std::string as_lines() const {
        if (is_good()) return document.file + ": good\n";
        std::string text;
        for (const Problem& problem : problems)
            text += document.at(problem.place) + ": " + problem.text + '\n';
        return text;
    }

    std::string as_json() const {
        std::string json = "{\"file\": ";
        site::append_json(json, document.file);
        json.append(", \"good\": ").append(is_good() ? "true" : "false");
        json += ", \"problems\": [";
        for (const Problem& problem : problems) {
            json += &problem == &problems.front() ? "\n  {" : ",\n  {";
            json += "\"line\": " + std::to_string(problem.place.line) +
                    ", \"column\": " + std::to_string(problem.place.column) + ", \"message\": ";
            site::append_json(json, problem.text);
            json += '}';
        }
        return json + "]}\n";
    }

    config::Document document;
    std::vector<Problem> problems;
};

int tell(const Checked& checked, bool json) {
    if (json) {
        const int said = say(checked.as_json());
        return checked.is_good() ? said : exit_code::wrong_use;
    }
    if (checked.is_good()) return say(checked.as_lines());
    say_error(checked.as_lines());
    return exit_code::wrong_use;
}

}  // namespace

int check_config(std::vector<std::string> arguments) {
    CheckReader options;
    const auto read = options.reader.read(std::move(arguments), [] {});
    if (!read) return tell(read.error());
    if (options.schema) return say(config::schema(serve_page().options));
    if (options.file.empty()) return tell(wrong_use("weir check-config", "missing FILE"));
    return tell(Checked{options.file}, options.json);
}

Page check_config_page() { return CheckReader{}.reader.page(); }

}  // namespace weir::cli
