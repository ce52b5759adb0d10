#include "cli/help/man.h"

#include <algorithm>
#include <cctype>
#include <ranges>
#include <string_view>

#include "cli/help/version_number.h"

namespace weir::cli {
namespace {

/// Escapes text so that troff shows it unchanged. troff turns some characters into typographic
/// ones, and a dot or a quote at the start of a line begins a request.
std::string escaped(std::string_view text) {
    std::string out;
    bool line_begins = true;
    for (const char character : text) {
        if (line_begins && character == '.') out += "\\&";
        line_begins = character == '\n';
        switch (character) {
            case '\\': out += "\\e"; break;
            case '-': out += "\\-"; break;
            case '\'': out += "\\(aq"; break;
            case '`': out += "\\(ga"; break;
            case '"': out += "\\(dq"; break;
            case '^': out += "\\(ha"; break;
            case '~': out += "\\(ti"; break;
            default: out += character;
        }
    }
    return out;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string upper(std::string_view text) {
    std::string out{text};
    for (char& character : out)
        character = static_cast<char>(std::toupper(static_cast<unsigned char>(character)));
    return out;
}

void append_section(std::string& out, std::string_view title) {
    out.append(".SH ").append(escaped(upper(title))) += '\n';
}

/// `name` is escaped already.
void append_entry(std::string& out, std::string_view name, std::string_view text) {
    out.append(".TP\n").append(name) += '\n';
    out.append(escaped(text)) += '\n';
}

void append_terms(std::string& out, std::string_view title, std::span<const Term> terms) {
    if (terms.empty()) return;
    append_section(out, title);
    for (const Term& term : terms) append_entry(out, bold(term.name), term.text);
}

std::string names_of(const Option& option) {
    std::string text = option.short_name.empty() ? "" : bold("-" + option.short_name) + ", ";
    text += bold(option.name());
    if (option.value_is_optional) return text + "[=" + italic(option.value_name) + ']';
    if (option.takes_value()) text += ' ' + italic(option.value_name);
    return text;
}

void append_options(std::string& out, const Page& page) {
    append_section(out, "options");
    std::string_view group;
    for (const Option& option : page.options) {
        if (option.is_positional) continue;
        if (option.group != group && option.group != "Options")
            out.append(".SS ").append(escaped(option.group)) += '\n';
        group = option.group;
        append_entry(out, names_of(option), option.help);
    }
}

void append_variables(std::string& out, const Page& page) {
    if (!page.is_server) return;
    append_section(out, "environment");
    out +=
        "Each option can be set by a variable. The command line overrides it. A variable of an\n"
        "option without a value takes 1 or 0; if an option can be repeated, its variable takes\n"
        "one value per line.\n";
    for (const Option& option : page.options)
        if (!option.variable.empty())
            append_entry(out, bold(option.variable), "Sets " + option.name() + '.');
}

void append_examples(std::string& out, const Page& page) {
    if (page.examples.empty()) return;
    append_section(out, "examples");
    for (const Example& example : page.examples) {
        if (&example != page.examples.data()) out += ".PP\n";
        std::string text = escaped(example.text);
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        out.append(text) += ":\n";
        out.append(".PP\n.nf\n.RS\n").append(escaped(example.command)) += "\n.RE\n.fi\n";
    }
}

void append_others(std::string& out, const Page& page, std::span<const Page> all) {
    append_section(out, "see also");
    std::string text;
    for (const Page& other : all) {
        if (other.command == page.command) continue;
        if (!text.empty()) text += ",\n";
        text += bold(other.full_name('-')) + "(1)";
    }
    out += text + '\n';
}

}  // namespace

std::string man(const Page& page, std::span<const Page> all) {
    const auto name = page.full_name('-');
    std::string out = ".TH " + escaped(upper(name)) + " 1 \"\" \"weir " +
                      std::string{version_number} + "\" \"User Commands\"\n";
    append_section(out, "name");
    out += escaped(name) + " \\- " + escaped(page.summary) + '\n';
    append_section(out, "synopsis");
    out += bold(page.full_name()) + ' ' + italic(page.usage) + '\n';
    append_section(out, "description");
    out += escaped(page.description) + '\n';
    append_terms(out, page.terms_title, page.terms);
    append_options(out, page);
    append_variables(out, page);
    if (page.is_server) append_terms(out, "signals", signals());
    append_terms(out, "exit status", exit_codes(page));
    append_examples(out, page);
    append_others(out, page, all);
    return out;
}

}  // namespace weir::cli
