#include "cli/help_formatter.h"

#include <string_view>

namespace weir::cli {
namespace {

constexpr std::size_t help_column = 32;
constexpr std::size_t width = 100;

std::string names_of(const CLI::Option& option) {
    std::string names = option.get_snames().empty() ? "    " : "-" + option.get_snames()[0] + ", ";
    names += "--" + option.get_lnames()[0];
    if (!option.get_option_text().empty()) names += ' ' + option.get_option_text();
    return names;
}

/// Words, wrapped, each line but the first behind an indent.
void append_wrapped(std::string& out, std::string_view text) {
    const auto room = width - help_column;
    while (text.size() > room) {
        const auto space = text.rfind(' ', room);
        if (space == text.npos) break;
        out += text.substr(0, space);
        out += '\n' + std::string(help_column, ' ');
        text.remove_prefix(space + 1);
    }
    out += text;
    out += '\n';
}

}  // namespace

std::string HelpFormatter::make_usage(const CLI::App*, std::string) const {
    return "\nusage: " + usage_ + '\n';
}

std::string HelpFormatter::make_positionals(const CLI::App*) const { return {}; }

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
    std::string text = '\n' + group + ":\n";
    for (const CLI::Option* option : options) text += make_option(option, is_positional);
    // CLI11 puts an empty line between groups of its own accord; one is enough.
    text.erase(text.size() - 1);
    return text;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool) const {
    std::string text = "  " + names_of(*option);
    if (text.size() + 2 > help_column) {
        text += '\n' + std::string(help_column, ' ');
    } else {
        text.append(help_column - text.size(), ' ');
    }
    append_wrapped(text, option->get_description());
    return text;
}

}  // namespace weir::cli
