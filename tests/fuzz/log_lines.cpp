// Whatever a request says, its lines in the logs stay lines: printable, with as many fields as ever,
// and the text can be told from them. The lines of the input are the texts of an entry.

#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "fuzz/plain/json.h"
#include "fuzz/plain/path.h"
#include "fuzz/plain/text.h"
#include "http/syntax/utf8.h"
#include "server/log/line/access_line.h"
#include "server/log/line/log_format.h"
#include "server/log/line/shown_line.h"

namespace weir::tests {
namespace {

using server::AccessEntry;

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// One line, which a terminal does not interpret.
void require_line(std::string_view line) {
    require(line.ends_with('\n') && is_printable(line.substr(0, line.size() - 1)));
}

/// Resolves "\x41".
std::string unescaped(std::string_view text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool escape = text.substr(at).starts_with("\\x");
        bytes +=
            escape ? static_cast<char>(std::stoi(std::string{text.substr(at + 2, 2)}, nullptr, 16))
                   : text[at];
        at += escape ? 3 : 0;
    }
    return bytes;
}

std::string or_dash(std::string_view text) { return text.empty() ? "-" : std::string{text}; }

/// As a log analyser reads it: quotes stand around three of the fields and nowhere else.
void check_combined(const AccessEntry& entry) {
    std::string line;
    server::append_combined(line, entry);
    require_line(line);
    const std::vector<std::string> parts = plain::split(line, '"');
    require(parts.size() == 7 && parts[6] == "\n");
    require(unescaped(parts[0]).starts_with(or_dash(entry.remote) + " - " + or_dash(entry.user) +
                                            " ["));
    const std::string request =
        std::string{entry.method} + " " + std::string{entry.target} + " HTTP/1.1";
    require(unescaped(parts[1]) == (entry.readable ? request : "-"));
    require(unescaped(parts[3]) == or_dash(entry.referer));
    require(unescaped(parts[5]) == or_dash(entry.user_agent));
}

void require_text(const plain::Json& json, std::string_view name, std::string_view value) {
    const plain::Json* const found = json.find(name);
    require(found != nullptr && found->text == plain::latin1_as_utf8(value));
}

void check_json(const AccessEntry& entry) {
    std::string line;
    server::append_json(line, entry);
    require_line(line);
    const auto json = plain::read_json(line);
    require(json.has_value());
    require_text(*json, "remote", entry.remote);
    if (!entry.readable) return require(json->find("target") == nullptr);
    require_text(*json, "method", entry.method);
    require_text(*json, "target", entry.target);
    require_text(*json, "host", entry.authority);
    if (!entry.user.empty()) require_text(*json, "user", entry.user);
    if (!entry.referer.empty()) require_text(*json, "referer", entry.referer);
    if (!entry.user_agent.empty()) require_text(*json, "user_agent", entry.user_agent);
}

/// Text in quotes can be told from them, and other text is one word.
void check_own(const AccessEntry& entry) {
    static const auto format =
        server::LogFormat::parse("\"{user_agent}\" {remote} \"{target}\" {referer} {status}");
    std::string line;
    format->append(line, entry);
    require_line(line);
    const std::vector<std::string> parts = plain::split(line, '"');
    require(parts.size() == 5);
    require(unescaped(parts[1]) == or_dash(entry.user_agent));
    require(unescaped(parts[3]) == or_dash(entry.target));
    const std::vector<std::string> words = plain::split(parts[4], ' ');
    require(words.size() == 3 && unescaped(words[1]) == or_dash(entry.referer));
    require(plain::split(parts[2], ' ').size() == 3);
}

/// A text is a format or it is not; if it is, its lines are lines.
void check_format(const AccessEntry& entry, std::string_view text) {
    const ExactCopy copy{text};
    const auto format = server::LogFormat::parse(copy.view());
    if (!format) return require(!format.error().sentence.empty());
    std::string line;
    format->append(line, entry);
    require(line.ends_with('\n') && std::ranges::count(line, '\n') == 1);
}

/// The only sequences for the terminal are those of the colour.
void check_shown(const AccessEntry& entry) {
    std::string plain, coloured;
    server::append_shown(plain, entry);
    server::append_shown_in_colour(coloured, entry);
    require_line(plain);
    if (entry.readable)
        require(
            unescaped(plain).contains(std::string{entry.method} + " " + std::string{entry.target}));
    for (const std::string_view colour :
         {"\x1b[32m", "\x1b[36m", "\x1b[33m", "\x1b[31m", "\x1b[0m"})
        if (const std::size_t at = coloured.find(colour); at != coloured.npos)
            coloured.erase(at, colour.size());
    require(coloured == plain);
}

/// A text that may be cut is UTF-8 if some continuation makes it so.
bool may_become_utf8(const std::string& text) {
    if (plain::is_utf8(text)) return true;
    for (const std::string_view second : {"\x80", "\x90", "\xa0", "\xbf"})
        for (const std::string_view rest : {"", "\x80", "\x80\x80"})
            for (const std::string& all : {text + std::string{second}, text + std::string{rest}})
                if (plain::is_utf8(all) || plain::is_utf8(all + std::string{rest})) return true;
    return false;
}

void check_utf8(std::string_view text) {
    const ExactCopy copy{text};
    require(http::utf8_character_size(copy.view()) == plain::character_size(text));
    require(http::is_utf8(copy.view()) == plain::is_utf8(text));
    require(http::is_utf8(copy.view(), true) == may_become_utf8(std::string{text}));
}

}  // namespace

void fuzz(const FuzzInput& input) {
    constexpr std::array statuses = {http::Status::ok, http::Status::not_modified,
                                     http::Status::not_found, http::Status::service_unavailable};
    std::string_view text = input.text;
    AccessEntry entry;
    for (std::string_view* const part :
         {&entry.method, &entry.target, &entry.authority, &entry.remote, &entry.referer})
        *part = take_line(text);
    entry.user_agent = text;
    entry.user = entry.authority;
    entry.unix_seconds = 784'111'777;
    entry.readable = (input.choice & 1) != 0;
    entry.status = statuses[input.choice / 2 % 4];
    entry.outcome = static_cast<http::Outcome>(input.choice / 8 % 5);
    entry.content_bytes = input.cut * 100'000'007;
    check_combined(entry);
    check_json(entry);
    check_shown(entry);
    check_own(entry);
    check_format(entry, input.text);
    check_utf8(input.text);
}

}  // namespace weir::tests
