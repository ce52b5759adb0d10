#include "cli/option/misplaced.h"

#include <algorithm>
#include <array>

#include "http/answer/content_coding.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

bool has(std::span<const Option> options, std::string_view long_name) {
    return std::ranges::any_of(options, [long_name](const Option& option) {
        return !option.is_positional && option.long_name == long_name;
    });
}

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

/// Advice for a URL in the place of PATH. If its host is an address, the user may have meant
/// --bind; weir looks up no names.
std::string meant_by_url(std::string_view word, std::size_t mark) {
    const auto rest = word.substr(mark + 3);
    if (word.starts_with("file:")) return "; PATH is no URL: " + std::string{rest};
    const std::string host{rest.substr(0, rest.find('/'))};
    if (server::parse_endpoints(host, 0).empty()) return "; PATH is a folder or a file, and no URL";
    return "; PATH is no URL; an address to listen on is given by --bind " + host;
}

std::string meant_by_name(std::string_view word, std::span<const Option> options) {
    const std::string name{word.substr(0, word.find('='))};
    return has(options, name) ? "; did you mean --" + std::string{word} + '?' : "";
}

bool is_answer(std::string_view word) {
    constexpr std::array<std::string_view, 6> words{"true", "false", "yes", "no", "on", "off"};
    return std::ranges::find(words, word) != words.end();
}

/// A list of codings: "gzip", "br,gzip".
bool is_codings(std::string_view word) {
    return http::is_content_coding(word.substr(0, word.find(',')));
}

}  // namespace

std::string foreign_dash(std::string_view word) {
    // Unicode, block General Punctuation, and the minus sign.
    constexpr std::array<std::string_view, 7> dashes{"\u2010", "\u2011", "\u2012", "\u2013",
                                                     "\u2014", "\u2015", "\u2212"};
    if (word.starts_with('-')) word.remove_prefix(1);
    const auto dash = std::ranges::find_if(
        dashes, [word](std::string_view each) { return word.starts_with(each); });
    if (dash == dashes.end()) return {};
    std::string name{word.substr(dash->size())};
    if (const auto rest = foreign_dash(name); !rest.empty()) return rest;
    name.erase(0, name.find_first_not_of('-'));
    return "; its dash is not '-': write " + std::string{name.size() == 1 ? "-" : "--"} + name;
}

std::string meant_by(std::string_view word, std::span<const Option> options) {
    if (!has(options, "port")) return {};
    if (word.empty()) return "; it is empty, as is a variable of the shell that is not set";
    if (auto dash = foreign_dash(word); !dash.empty()) return dash;
    if (is_number(word)) return "; the port is given by --port " + std::string{word};
    if (const auto mark = word.find("://"); mark != word.npos) return meant_by_url(word, mark);
    if (auto name = meant_by_name(word, options); !name.empty()) return name;
    if (!server::parse_endpoints(word, 0).empty())
        return "; an address is given by --bind " + std::string{word};
    if (is_answer(word)) return "; an option such as --listing takes no value after a space";
    if (is_codings(word)) return "; codings are given by --compress=" + std::string{word};
    if (word == "-") return "; weir does not read standard input";
    if (word.starts_with('~')) return "; the shell replaces ~ only where a word begins with it";
    if (word.find_first_of("*?") != word.npos)
        return "; PATH is one folder or file, and no pattern";
    return {};
}

}  // namespace weir::cli
