#include "cli/config/printed.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

#include "base/quoted.h"
#include "cli/config/shape.h"
#include "cli/option/quantities.h"
#include "http/syntax/utf8.h"

namespace weir::cli::config {
namespace {

constexpr std::size_t width = 100;

/// Removes zeros at the beginning, which TOML does not allow.
std::string integer(std::string_view digits) {
    const auto first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    return std::string{digits.substr(first)};
}

bool is_integer(std::string_view text) {
    std::int64_t number = 0;  // the range of integers in TOML
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end && number >= 0 && text.front() != '-';
}

/// The words that the reader of the option takes for true or false.
std::optional<bool> flag_in(const Option& option, std::string_view text) {
    const auto flag = parse_flag(text);
    const bool is_word = text == "0" || text == "1" || text == "true" || text == "false";
    if (!flag || (option.takes_value() && !is_word)) return std::nullopt;
    return *flag;
}

std::string values(const Said& said) {
    if (!said.option.repeats) return as_toml(said.option, said.texts.back());
    std::string list;
    const bool is_long = said.texts.size() > 1;
    for (const std::string& text : said.texts)
        list += (is_long ? "\n    " : "") + as_toml(said.option, text) + (is_long ? "," : "");
    return '[' + list + (is_long ? "\n]" : "]");
}

void append_comment(std::string& out, std::string_view text) {
    constexpr std::size_t room = width - 2;
    while (text.size() > room) {
        const auto space = text.rfind(' ', room);
        if (space == text.npos) break;
        out.append("# ").append(text.substr(0, space)) += '\n';
        text.remove_prefix(space + 1);
    }
    out.append("# ").append(text) += '\n';
}

/// The default as a comment, so that no option counts as given.
std::string unsaid(const Option& option) {
    const auto stated = stated_default(option);
    const std::string start = '#' + option.long_name + " = ";
    if (!option.takes_value()) return start + "false";
    if (stated.empty()) return start + "...";
    return start + values({.option = option, .texts = {std::string{stated}}});
}

const Said* find(std::span<const Said> said, const Option& option) {
    const auto found = std::ranges::find(said, option.long_name,
                                         [](const Said& one) { return one.option.long_name; });
    return found == said.end() ? nullptr : &*found;
}

void append(std::string& out, const Said& said) {
    out.append(said.option.long_name).append(" = ").append(values(said)) += '\n';
}

void append_explained(std::string& out, std::span<const Said> said, std::span<const Option> all) {
    std::string_view group;
    for (const Option& option : all) {
        if (!option.in_file) continue;
        if (option.group != group)
            out.append(group.empty() ? "" : "\n").append("# --- ").append(option.group) += " ---\n";
        group = option.group;
        out += '\n';
        append_comment(out, option.help);
        if (const Said* const one = find(said, option)) {
            append(out, *one);
        } else {
            out += unsaid(option) + '\n';
        }
    }
}

void append_site(std::string& out, const SiteSaid& site) {
    out += out.empty() ? "[[site]]\n" : "\n[[site]]\n";
    std::string hosts;
    for (const std::string& host : site.head.hosts)
        hosts.append(hosts.empty() ? "" : ", ").append(in_quotes(host));
    if (!hosts.empty()) out += "host = [" + hosts + "]\n";
    if (site.head.is_default) out += "default = true\n";
    for (const Said& said : site.said) append(out, said);
}

/// Returns the name of an option with a text that no file can have; empty if there is none.
std::string unprintable(std::span<const Said> said) {
    for (const Said& one : said)
        for (const std::string& text : one.texts)
            if (!http::is_utf8(text)) return one.option.name();
    return {};
}

}  // namespace

std::expected<std::string, std::string> printed(std::span<const Said> said,
                                                std::span<const SiteSaid> sites,
                                                std::span<const Option> all) {
    if (const auto name = unprintable(said); !name.empty())
        return std::unexpected{name +
                               ": the text is not UTF-8, so no configuration file can have it"};
    std::string out;
    if (all.empty()) {
        for (const Said& one : said) append(out, one);
    } else {
        append_explained(out, said, all);
    }
    for (const SiteSaid& site : sites) append_site(out, site);
    return out;
}

std::string as_toml(const Option& option, std::string_view text) {
    const Shape shape = shape_of(option);
    if (const auto flag = flag_in(option, text); shape.flag && flag)
        return *flag ? "true" : "false";
    if (shape.number && is_integer(text)) return integer(text);
    return in_quotes(text);
}

std::string in_quotes(std::string_view text) {
    std::string out;
    append_quoted(out, text);
    return out;
}

}  // namespace weir::cli::config
