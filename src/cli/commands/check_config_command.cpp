#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/config/differences.h"
#include "cli/config/document.h"
#include "cli/config/printed.h"
#include "cli/config/schema.h"
#include "cli/help/output.h"
#include "cli/launch/served_sites.h"
#include "cli/options/option_reader.h"
#include "cli/options/serve_options.h"
#include "engines/engines.h"
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
        reader.value("--compare", "FILE", other, parse_text,
                     "Say what the file changes, compared with this one");
        reader.flag("--json", json, "Print an object, for programs");
        reader.flag("--schema", schema, "Print a JSON schema of such files, for editors");
        reader.help_flag();
    }

    std::string file;
    std::string other;
    bool json = false;
    bool schema = false;
    OptionReader reader{
        {.command = "check-config",
         .summary = "check a file of settings",
         .usage = "FILE [--compare FILE] [--json] | --schema",
         .description = "Checks a file for weir serve --config: its keys and values, how they fit "
                        "together, and whether folders and certificates can be opened. Prints "
                        "each problem with its file, line and column."}};
};

/// Takes "weir.toml:3:8: " off a text. Without that, the problem is one of the whole file.
Problem problem_of(std::string_view text, const std::string& file) {
    if (!text.starts_with(file + ':')) return {.place = {}, .text = std::string{text}};
    const char* const begin = text.data() + file.size() + 1;
    const char* const end = text.data() + text.size();
    Place place;
    const auto line = std::from_chars(begin, end, place.line);
    const auto column = std::from_chars(std::min(line.ptr + 1, end), end, place.column);
    return {place, std::string{std::min(column.ptr + 2, end), end}};
}

/// What can't be opened, of what the settings name.
class Opening {
   public:
    explicit Opening(const config::Document& document) : document_{document} {}

    std::vector<Problem> check(ServeOptions& options) {
        check_engine(options);
        check_certificates(options);
        check_log(options);
        if (options.sites.empty()) open(options, document_.entries, {});
        for (NamedSite& site : options.sites) {
            const auto table =
                std::ranges::find(document_.sites, site.place, &config::SiteTable::place);
            open(site.options, table->entries, site.place);
        }
        return std::move(problems_);
    }

   private:
    /// Where a key stands; `otherwise` if it does not stand in the table.
    static Place place_of(const config::Table& table, std::string_view key, Place otherwise = {}) {
        const auto found = std::ranges::find_if(
            table, [key](const config::Entry& entry) { return entry.key == key; });
        return found == table.end() ? otherwise : found->place;
    }

    void add(std::string_view key, const std::string& text) {
        problems_.push_back({place_of(document_.entries, key), std::string{key} + ": " + text});
    }

    void open(OneSiteOptions& options, const config::Table& table, Place otherwise) {
        const auto site = open_site(options);
        if (!site) {
            problems_.push_back({place_of(table, "root", otherwise), "root: " + site.error()});
        } else if (const auto rules = surround(options, **site); !rules) {
            constexpr std::string_view dashes = "--";
            problems_.push_back(
                {place_of(table, "auth", otherwise), rules.error().substr(dashes.size())});
        }
    }

    void check_engine(const ServeOptions& options) {
        const engines::Engine* const engine = engines::find(options.server.engine);
        if (engine && engine->unavailable && !engine->unavailable().empty())
            add("engine", std::string{engine->unavailable()});
    }

    /// Without certificates, weir makes one when it starts.
    void check_certificates(const ServeOptions& options) {
        if (!options.tls.on) return;
        if (const auto why = tls::unavailable(); !why.empty()) return add("tls", std::string{why});
        if (options.tls.settings.certificates.empty()) return;
        if (const auto layer = tls::open(options.tls.settings); !layer)
            add("tls-cert", layer.error());
    }

    void check_log(const ServeOptions& options) {
        const std::string& log = options.server.access_log.path;
        if (log.empty() || log == "-") return;
        std::error_code error;
        const auto folder = std::filesystem::absolute(log, error).parent_path();
        if (!std::filesystem::is_directory(folder, error))
            add("access-log", "there is no folder " + folder.string());
    }

    const config::Document& document_;
    std::vector<Problem> problems_;
};

Sources sources_of(const config::Document& document) {
    return {.arguments = {}, .has_variables = false, .document = &document};
}

std::vector<Problem> problems_of(const config::Document& document) {
    auto options = serve_options_from(sources_of(document));
    if (options) return Opening{document}.check(*options);
    std::vector<Problem> problems;
    for (const std::string& text : options.error().problems)
        problems.push_back(problem_of(text, document.file));
    return problems;
}

/// A file, and what is wrong with it.
struct Checked {
    explicit Checked(const std::string& file)
        : document{config::read(file)}, problems{problems_of(document)} {
        std::ranges::sort(problems, {}, [](const Problem& problem) {
            return std::tie(problem.place, problem.text);
        });
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
        std::string list;
        for (const Problem& problem : problems)
            list += std::string{list.empty() ? "" : ","} +
                    "\n  {\"line\": " + std::to_string(problem.place.line) +
                    ", \"column\": " + std::to_string(problem.place.column) +
                    ", \"message\": " + config::quoted(problem.text) + '}';
        return "{\"file\": " + config::quoted(document.file) +
               ", \"good\": " + (is_good() ? "true" : "false") + ", \"problems\": [" + list +
               "]}\n";
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

/// Says what `after` changes. Both are good.
int compare(const Checked& before, const Checked& after) {
    const auto old = normal_form(sources_of(before.document));
    const auto now = normal_form(sources_of(after.document));
    if (!old || !now) return tell((old ? now : old).error());
    std::string text;
    for (const std::string& line : config::differences(*old, *now, serve_page().options))
        text += line + '\n';
    return say(text.empty() ? "nothing differs\n" : text);
}

}  // namespace

int check_config(std::vector<std::string> arguments) {
    CheckReader options;
    const auto read = options.reader.read(std::move(arguments), [] {});
    if (!read) return tell(read.error());
    if (options.schema) return say(config::schema(serve_page().options));
    if (options.file.empty()) return tell(wrong_use("weir check-config", "missing FILE"));
    const Checked checked{options.file};
    if (options.other.empty() || !checked.is_good()) return tell(checked, options.json);
    const Checked other{options.other};
    return other.is_good() ? compare(other, checked) : tell(other, options.json);
}

Page check_config_page() { return CheckReader{}.reader.page(); }

}  // namespace weir::cli
