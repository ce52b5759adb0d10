#include "cli/options/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "cli/option/foreign.h"
#include "cli/option/misplaced.h"
#include "cli/option/near_miss.h"
#include "cli/option/wrong_use.h"

// Only this file includes CLI11, which takes seconds to compile. CLI11 only splits the command
// line; weir's own code interprets the options and writes all messages.
namespace weir::cli {
namespace {

std::string_view before_equals(std::string_view argument) {
    return argument.substr(0, argument.find('='));
}

/// Finds the option that `argument` names in full, with or without "=value".
const Option* option_in(std::span<const Option> options, std::string_view argument) {
    const auto word = before_equals(argument);
    const auto found = std::ranges::find_if(options, [word](const Option& option) {
        return !option.is_positional &&
               (word == option.name() ||
                (!option.short_name.empty() && word == "-" + option.short_name));
    });
    return found == options.end() ? nullptr : &*found;
}

/// True if the next argument is the option's value, unless the value follows '='.
bool needs_next(const Option& option) { return option.takes_value() && !option.value_is_optional; }

[[noreturn]] void refuse_missing_value(const Option& option) {
    throw WrongUse{option.name() + " needs a value: " + option.name() + ' ' + option.value_name};
}

/// True for "--option=".
bool is_empty_value(std::string_view argument) { return argument.find('=') + 1 == argument.size(); }

/// "--cors=$ORIGIN" with an unset variable must not mean every origin.
void refuse_empty_value(const Option& option, std::string_view argument) {
    if (!is_empty_value(argument)) return;
    throw WrongUse{option.name() + "= has no value: write " + option.name() + '=' +
                   option.value_name + ", or " + option.name() + " alone"};
}

/// True if the command has all options that an advice names: a command that serves no files has
/// fewer.
bool is_for(std::string_view advice, std::span<const std::string> known) {
    for (auto at = advice.find("--"); at != advice.npos; at = advice.find("--", at)) {
        at += 2;
        const auto name = advice.substr(at, advice.find_first_of(" ,;)='", at) - at);
        if (std::ranges::find(known, name) == known.end()) return false;
    }
    return true;
}

[[noreturn]] void refuse_unknown(std::span<const Option> options, std::string_view argument) {
    const auto word = before_equals(argument);
    const auto name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
    std::vector<std::string> known;
    for (const Option& option : options)
        if (!option.is_positional) known.push_back(option.long_name);
    const std::string what = "unknown option " + std::string{word};
    const auto before_colon = name.substr(0, name.find(':'));  // --port:8080
    if (before_colon != name && std::ranges::find(known, before_colon) != known.end())
        throw WrongUse{what + "; did you mean --" + std::string{before_colon} + ' ' +
                       std::string{name.substr(before_colon.size() + 1)} + '?'};
    if (std::ranges::find(known, name) != known.end())  // -port
        throw WrongUse{what + "; did you mean --" + std::string{name} + '?'};
    if (const auto advice = advice_for(word, foreign_options());
        !advice.empty() && is_for(advice, known))
        throw WrongUse{what + advice};
    throw WrongUse{what + did_you_mean(name, known, "--")};
}

/// Refuses "-p=8080", whose value would be "=8080"; "-4", which would be a PATH; and a dash that is
/// not '-'.
void refuse_wrong_form(std::span<const Option> options, const std::string& argument) {
    if (auto dash = foreign_dash(argument); !dash.empty())
        throw WrongUse{"unknown option '" + argument + "'" + dash};
    if (!argument.starts_with('-') || argument.starts_with("--") || argument.size() < 2) return;
    if (argument[1] >= '0' && argument[1] <= '9') refuse_unknown(options, argument);
    const Option* const option = argument.find('=') == 2 ? option_in(options, argument) : nullptr;
    if (option && option->takes_value())
        throw WrongUse{argument + ": after a short option, the value has no '='; write " +
                       argument.substr(0, 2) + ' ' + argument.substr(3)};
}

/// Refuses arguments that CLI11 would misunderstand: an option's name as the value of the option
/// before it (--root --spa), nothing after '=' (--root=), one dash before a long name (-port).
void refuse_what_misleads(std::span<const Option> options, std::span<const std::string> arguments) {
    const Option* waiting = nullptr;  // the option that still needs its value
    for (const std::string& argument : arguments) {
        const Option* const option = option_in(options, argument);
        if (waiting) {
            if (option) refuse_missing_value(*waiting);
            waiting = nullptr;
            continue;
        }
        if (argument == "--") return;
        refuse_wrong_form(options, argument);
        if (!option && argument.starts_with('-') && option_in(options, '-' + argument))
            refuse_unknown(options, argument);
        if (option && option->value_is_optional) refuse_empty_value(*option, argument);
        if (!option || !needs_next(*option)) continue;
        if (is_empty_value(argument)) refuse_missing_value(*option);
        if (!argument.contains('=')) waiting = option;
    }
    if (waiting) refuse_missing_value(*waiting);
}

std::string names_of(const Option& option) {
    return option.short_name.empty() ? option.name()
                                     : "-" + option.short_name + "," + option.name();
}

CLI::Option* add(CLI::App& app, const Option& option) {
    CLI::Option* const added = option.is_positional || needs_next(option)
                                   ? app.add_option(names_of(option))
                                   : app.add_flag(names_of(option));
    return added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// Refuses "--cors example.org": the value is no PATH, and an origin has a scheme.
void refuse_no_origin(const Option& option, const std::string& next) {
    std::error_code error;
    if (next.empty() || next.starts_with('-') || std::filesystem::exists(next, error)) return;
    if (next.find_first_of(".:") == next.npos && next != "localhost") return;
    if (next.starts_with('.') || next.contains('/')) return;
    // A server in development usually has a port, and no certificate.
    const bool is_for_development = next.contains(':') || next == "localhost";
    throw WrongUse{option.name() + ": '" + next + "' is not an origin; write " + option.name() +
                   (is_for_development ? "=http://" : "=https://") + next};
}

/// Any other optional value needs "=", because the next argument may be a PATH.
bool takes_next_if_origin(const Option& option) {
    return option.value_is_optional && option.value_name == "ORIGIN";
}

/// Turns "--cors https://example.org" into "--cors=https://example.org". The next argument is the
/// value only if it looks like an origin, because it may be a PATH.
void join_optional_values(std::span<const Option> options, std::vector<std::string>& arguments) {
    for (auto at = arguments.begin(); at != arguments.end() && *at != "--"; ++at) {
        const Option* const option = option_in(options, *at);
        const auto next = at + 1;
        if (!option || !takes_next_if_origin(*option) || at->contains('=') ||
            next == arguments.end())
            continue;
        if (!next->contains("://") && *next != "*" && *next != "null") {
            refuse_no_origin(*option, *next);
            continue;
        }
        at->append("=").append(*next);
        at = arguments.erase(next) - 1;
    }
}

void refuse_excess(std::span<const Option> options, const std::vector<std::string>& excess) {
    bool only_arguments = false;  // after "--"
    for (const std::string& one : excess) {
        if (!only_arguments && one == "--") {
            only_arguments = true;
        } else if (!only_arguments && one.size() > 1 && one.starts_with('-')) {
            refuse_unknown(options, one);
        } else {
            throw WrongUse{"unexpected argument '" + one + "'" + meant_by(one, options)};
        }
    }
}

constexpr std::string_view help_all = "--help-all";

bool has_one_of(std::span<const std::string> arguments,
                std::initializer_list<std::string_view> wanted) {
    const auto end = std::ranges::find(arguments, "--");
    return std::any_of(arguments.begin(), end, [&](const std::string& argument) {
        return std::ranges::find(wanted, argument) != wanted.end();
    });
}

}  // namespace

Given find_options(std::span<const Option> options, std::vector<std::string> arguments) {
    refuse_what_misleads(options, arguments);
    join_optional_values(options, arguments);
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    std::vector<const CLI::Option*> added;
    for (const Option& option : options) added.push_back(add(app, option));
    std::ranges::reverse(arguments);  // CLI11 expects this order
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
        // The code above and below finds every error that CLI11 could report.
        throw WrongUse{std::string{"invalid arguments: "} + error.what()};
    }
    Given given;
    bool help_wanted = false;  // for combined flags: -lh
    for (std::size_t index = 0; index < options.size(); ++index) {
        given.push_back(added[index]->results());
        help_wanted = help_wanted || (options[index].name() == "--help" && !given.back().empty());
    }
    if (!help_wanted) refuse_excess(options, app.remaining());
    return given;
}

bool asks_for_help(std::span<const std::string> arguments) {
    return has_one_of(arguments, {"-h", "--help", help_all});
}

bool asks_for_all_help(std::span<const std::string> arguments) {
    return has_one_of(arguments, {help_all});
}

}  // namespace weir::cli
