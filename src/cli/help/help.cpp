#include "cli/help/help.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace weir::cli {
namespace {

constexpr std::size_t width = 100;

/// Appends words and wraps them. Every line except the first begins at `column`.
void append_wrapped(std::string& out, std::string_view text, std::size_t column) {
    const auto room = width - column;
    while (text.size() > room) {
        const auto space = text.rfind(' ', room);
        if (space == text.npos) break;
        out += text.substr(0, space);
        out += '\n' + std::string(column, ' ');
        text.remove_prefix(space + 1);
    }
    out += text;
    out += '\n';
}

/// Appends a name with its text beside it. If the name is too long, the text begins on the next
/// line.
void append_entry(std::string& out, std::string_view name, std::string_view text,
                  std::size_t column) {
    out.append("  ").append(name);
    const auto used = name.size() + 2;
    if (used + 2 > column) {
        out += '\n' + std::string(column, ' ');
    } else {
        out.append(column - used, ' ');
    }
    append_wrapped(out, text, column);
}

void append_terms(std::string& out, std::string_view title, std::span<const Term> terms) {
    if (terms.empty()) return;
    std::size_t column = 0;
    for (const Term& term : terms) column = std::max(column, term.name.size() + 4);
    out.append("\n").append(title) += ":\n";
    for (const Term& term : terms) append_entry(out, term.name, term.text, column);
}

bool is_short(const Page& page, Extent extent) noexcept {
    return extent == Extent::first && !page.first_options.empty();
}

bool shows(const Page& page, Extent extent, const Option& option) {
    if (option.is_positional) return false;
    return !is_short(page, extent) ||
           std::ranges::find(page.first_options, option.long_name) != page.first_options.end();
}

void append_options(std::string& out, const Page& page, Extent extent) {
    constexpr std::size_t column = 32;
    std::string_view group;
    for (const Option& option : page.options) {
        if (!shows(page, extent, option)) continue;
        if (option.group != group) out.append("\n").append(option.group) += ":\n";
        group = option.group;
        const std::string indent(option.short_name.empty() ? 4 : 0, ' ');
        const std::string_view text = option.help;
        // The most important part of the text stands before the first semicolon.
        append_entry(out, indent + synopsis(option),
                     is_short(page, extent) ? text.substr(0, text.find(';')) : text, column);
    }
}

void append_variables(std::string& out, const Page& page) {
    if (!page.is_server) return;
    out += '\n';
    append_wrapped(
        out,
        "Each option can be set by a variable: --some-name by WEIR_SOME_NAME. An option "
        "without a value takes 1 or 0; an option that can be repeated takes one value "
        "per line. The command line overrides variables. If an option is repeated, the last "
        "one wins, unless its text says that it can be repeated.",
        0);
}

void append_examples(std::string& out, std::span<const Example> examples) {
    if (examples.empty()) return;
    out += "\nExamples:\n";
    for (const Example& example : examples) {
        out.append("  ").append(example.command) += '\n';
        out.append("      ").append(example.text) += '\n';
    }
}

void append_others(std::string& out, const Page& page) {
    const auto others = std::ranges::count_if(page.options, [&](const Option& option) {
        return shows(page, Extent::all, option) && !shows(page, Extent::first, option);
    });
    out.append("\n").append(std::to_string(others)).append(" more options: ");
    out.append(page.full_name()).append(" --help-all, or man ").append(page.full_name('-')) += '\n';
}

}  // namespace

std::string synopsis(const Option& option) {
    std::string text = option.short_name.empty() ? "" : "-" + option.short_name + ", ";
    text += option.name();
    if (option.takes_value()) text += (option.value_is_optional ? "[=" : " ") + option.value_name;
    if (option.value_is_optional) text += ']';
    return text;
}

std::string help(const Page& page, Extent extent) {
    std::string text;
    append_wrapped(text, page.description, 0);
    text.append("\nusage: ").append(page.full_name()).append(" ").append(page.usage) += '\n';
    append_options(text, page, extent);
    append_terms(text, page.terms_title, page.terms);
    if (is_short(page, extent)) {
        append_examples(text, page.examples.first(std::min<std::size_t>(page.examples.size(), 4)));
        append_others(text, page);
        return text;
    }
    append_variables(text, page);
    append_examples(text, page.examples);
    if (page.is_server) append_terms(text, "Signals", signals());
    append_terms(text, "Exit codes", exit_codes(page));
    return text;
}

}  // namespace weir::cli
