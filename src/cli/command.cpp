#include "cli/command.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "cli/help/help.h"
#include "cli/help/output.h"
#include "cli/help/version_number.h"
#include "cli/option/foreign.h"
#include "cli/option/misplaced.h"
#include "cli/option/near_miss.h"
#include "cli/options/arguments.h"
#include "cli/options/option_reader.h"
#include "cli/reload/generation.h"
#include "cli/serve/serve_options.h"
#include "cli/variables.h"
#include "supervisor/candidate.h"

namespace weir::cli {
namespace {

constexpr std::array command_table{
    Command{.name = "serve", .run = serve, .page = serve_page, .has_man_page = true},
    Command{.name = "target", .run = target, .page = target_page, .has_man_page = true},
    Command{.name = "engines", .run = list_engines, .page = engines_page, .has_man_page = true},
    Command{.name = "check-config", .run = check_config, .page = check_config_page},
    Command{.name = "reload", .run = reload, .page = reload_page},
    Command{.name = "upgrade", .run = upgrade, .page = upgrade_page},
    Command{.name = "status", .run = show_status, .page = status_page},
    Command{.name = "stop", .run = stop, .page = stop_page},
    Command{.name = "health", .run = check_health, .page = health_page},
    Command{.name = "password", .run = make_password, .page = password_page},
    Command{.name = "sign", .run = sign, .page = sign_page},
    Command{.name = "trust", .run = trust, .page = trust_page},
    Command{.name = "version", .run = show_version, .page = version_page},
    Command{.name = "help", .run = show_help, .page = help_page},
    Command{.name = "completion", .run = print_completion, .page = completion_page},
    Command{.name = "man", .run = print_man_page, .page = man_page},
};

std::vector<Term> summaries() {
    std::vector<Term> terms;
    terms.reserve(command_table.size());
    for (const Command& command : command_table)
        terms.push_back({command.name, command.page().summary});
    return terms;
}

int refuse(const std::string& message) { return tell(wrong_use("weir", message)); }

int refuse_missing_command() {
    std::string text = "weir: missing command\n\nusage: weir COMMAND [argument...]\n\nCommands:\n";
    for (const Term& term : summaries()) {
        text.append("  ").append(term.name).append(14 - term.name.size(), ' ');
        text.append(term.text) += '\n';
    }
    say_error(text + "\nTo serve the current folder: weir serve\n");
    return exit_code::wrong_use;
}

int refuse_command(const std::string& name) {
    if (name.starts_with('-'))
        return refuse("the command must come first, as in weir serve " + name);
    const std::string what = "unknown command '" + name + "'";
    if (const auto advice = advice_for(name, foreign_commands()); !advice.empty())
        return refuse(what + advice);
    std::vector<std::string> names;
    names.reserve(command_table.size());
    for (const Command& command : command_table) names.emplace_back(command.name);
    const auto meant = did_you_mean(name, names);
    std::error_code none;
    if (meant.empty() && std::filesystem::is_directory(name, none))
        return refuse(what + "; to serve that folder: weir serve " + name);
    if (meant.empty() && std::filesystem::is_regular_file(name, none))
        return refuse(what + "; to serve that file: weir serve " + name);
    if (!meant.empty()) return refuse(what + meant);
    const auto in_serve = meant_by(name, serve_page().options);
    return refuse(what + (in_serve.empty() ? "" : in_serve + " (weir serve)"));
}

/// --help and --version are also commands.
std::string_view without_dashes(std::string_view name) {
    if (name == "-h" || name == "--help") return "help";
    if (name == "-V" || name == "--version") return "version";
    return name;
}

}  // namespace

std::span<const Command> commands() { return command_table; }

const Command* find_command(std::string_view name) {
    const auto* const found = std::ranges::find(command_table, name, &Command::name);
    return found == command_table.end() ? nullptr : found;
}

Page weir_page() {
    static constexpr std::array examples{
        Example{"weir serve", "serve the current folder at http://127.0.0.1:8000/"},
        Example{"weir help serve", "show what weir serve can do"},
    };
    static const std::vector<Term> terms = summaries();
    OptionReader reader{{.command = "",
                         .summary = "HTTP server whose concurrency architecture is a switch",
                         .usage = "COMMAND [argument...]",
                         .description =
                             "weir is an HTTP server whose concurrency architecture is a "
                             "switch.",
                         .terms_title = "Commands",
                         .terms = terms,
                         .examples = examples}};
    bool version = false;
    reader.group("Options");
    reader.help_flag();
    reader.flag("-V,--version", version, "Show the version, and what is built in");
    return reader.page();
}

int run(std::vector<std::string> arguments) {
    if (arguments.empty()) return refuse_missing_command();
    const std::string name{without_dashes(arguments.front())};
    if (name == supervisor::abilities_option) return say(supervisor::abilities(version_number));
    const Command* const command = find_command(name);
    const bool help_wanted = asks_for_help(std::span{arguments}.subspan(1));
    if (!command) return help_wanted ? say(help(weir_page())) : refuse_command(name);
    arguments.erase(arguments.begin());
    if (command->page().is_server && !help_wanted && !supervisor_link())
        for (const std::string& warning : unknown_variables())
            say_error(command->page().full_name() + ": warning: " + warning + '\n');
    return command->run(std::move(arguments));
}

}  // namespace weir::cli
