#include "fuzz/plain/manifest.h"

#include <optional>
#include <utility>

#include "fuzz/plain/path.h"

namespace weir::tests::plain {
namespace {

constexpr std::size_t line_bytes_max = 8192, path_bytes_max = 4095, digits_min = 32;

std::string in_lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// Nothing if a backslash stands before something else than another one, n or r.
std::optional<std::string> without_escapes(const std::string& text) {
    static const std::map<char, char> known{{'\\', '\\'}, {'n', '\n'}, {'r', '\r'}};
    std::string out;
    bool is_escaped = false;
    for (const char c : text) {
        if (is_escaped && !known.contains(c)) return std::nullopt;
        const bool begins = !is_escaped && c == '\\';
        if (!begins) out += is_escaped ? known.at(c) : c;
        is_escaped = begins;
    }
    if (is_escaped) return std::nullopt;
    return out;
}

bool is_below(const std::string& path) {
    for (const std::string& name : split(path, '/'))
        if (name.empty() || name == "." || name == "..") return false;
    return true;
}

/// The path and the hash of a line; nothing if the line is wrong.
std::optional<std::pair<std::string, std::string>> read_line(std::string line) {
    if (line.size() > line_bytes_max) return std::nullopt;
    const bool has_escapes = line[0] == '\\';
    if (has_escapes) line.erase(0, 1);
    const auto digits = line.find_first_not_of("0123456789abcdefABCDEF");
    if (digits == std::string::npos || digits < digits_min) return std::nullopt;
    const std::string between = line.substr(digits, 2);
    if (between != "  " && between != " *") return std::nullopt;
    std::string path = line.substr(digits + 2);
    while (path.substr(0, 2) == "./") path.erase(0, 2);
    if (has_escapes) {
        auto plain = without_escapes(path);
        if (!plain) return std::nullopt;
        path = *std::move(plain);
    }
    if (path.size() > path_bytes_max || !is_below(path)) return std::nullopt;
    return std::pair{path, in_lower_case(line.substr(0, digits))};
}

}  // namespace

Manifest read_manifest(std::string_view text, const std::string& folder) {
    Manifest manifest;
    std::size_t number = 0;
    for (std::string line : split(text, '\n')) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line[0] == '#') continue;
        const auto read = read_line(line);
        if (!read) {
            manifest.wrong.push_back(number);
            continue;
        }
        manifest.hashes[folder.empty() ? read->first : folder + '/' + read->first] = read->second;
    }
    return manifest;
}

}  // namespace weir::tests::plain
