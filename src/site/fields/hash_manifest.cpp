#include "site/fields/hash_manifest.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/hexadecimal.h"
#include "http/syntax/lower_case.h"
#include "site/fields/content_hash.h"
#include "site/path/paths.h"

namespace weir::site {

namespace {

/// Takes the text before the next `end`, and the end itself.
std::string_view take_until(std::string_view& text, char end) noexcept {
    const auto at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == text.npos ? text.size() : at + 1);
    return taken;
}

/// Returns the character that `c` stands for after a backslash; 0 if for none.
char escaped(char c) noexcept {
    switch (c) {
        case '\\': return '\\';
        case 'n': return '\n';
        case 'r': return '\r';
        default: return 0;
    }
}

std::optional<std::string> unescaped(std::string_view text) {
    std::string path;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '\\' && (++i == text.size() || (c = escaped(text[i])) == 0)) return std::nullopt;
        path += c;
    }
    return path;
}

}  // namespace

bool is_path_below(std::string_view path) noexcept {
    if (path.empty() || path.ends_with('/')) return false;
    while (!path.empty()) {
        const std::string_view segment = take_until(path, '/');
        if (segment.empty() || segment == "." || segment == "..") return false;
    }
    return true;
}

HashManifest::HashManifest(std::string_view text, std::string_view folder) {
    for (std::size_t number = 1; !text.empty() && !is_too_long_; ++number) {
        std::string_view line = take_until(text, '\n');
        if (line.ends_with('\r')) line.remove_suffix(1);  // an editor of Windows
        if (!line.empty() && !line.starts_with('#')) add(line, number, folder);
    }
    if (is_too_long_) entries_ = {};
    std::ranges::sort(entries_, {},
                      [](const Entry& each) { return std::pair{each.path, each.place}; });
}

void HashManifest::add(std::string_view line, std::size_t number, std::string_view folder) {
    const std::string_view fault =
        line.size() > line_bytes_max ? "it is longer than 8 KB" : add_entry(line, folder);
    if (fault.empty()) return;
    if (faults_.size() < faults_max)
        faults_.push_back({number, fault});
    else
        ++further_faults_;
}

/// Returns what is wrong with the line; empty if nothing is.
std::string_view HashManifest::add_entry(std::string_view line, std::string_view folder) {
    const bool has_escapes = line.starts_with('\\');
    if (has_escapes) line.remove_prefix(1);
    const auto digits = static_cast<std::size_t>(
        std::ranges::find_if(line, [](char c) { return hex_value(c) < 0; }) - line.begin());
    if (digits < digits_min) return "it does not begin with a hash, as sha256sum writes it";
    const std::string hash = http::lower_case(line.substr(0, digits));
    line.remove_prefix(digits);
    if (!line.starts_with("  ") && !line.starts_with(" *"))
        return "two spaces, or a space and an asterisk, belong between the hash and the path";
    line.remove_prefix(2);
    while (line.starts_with("./")) line.remove_prefix(2);
    const auto path = has_escapes ? unescaped(line) : std::string{line};
    if (!path) return "after a backslash, only another one, n and r are known";
    if (path->size() > path_bytes_max) return "its path is longer than 4,095 bytes";
    if (!is_path_below(*path)) return "its path is not that of a file below the folder";
    is_too_long_ = entries_.size() == entries_max;
    if (!is_too_long_)
        entries_.push_back({hash_of(joined(folder, *path)), hash_of(hash), entries_.size()});
    return {};
}

std::optional<std::uint64_t> HashManifest::find(std::string_view path) const noexcept {
    const std::uint64_t wanted = hash_of(path);
    const auto after = std::ranges::upper_bound(entries_, wanted, {}, &Entry::path);
    if (after == entries_.begin() || std::prev(after)->path != wanted) return std::nullopt;
    return std::prev(after)->sum;
}

}  // namespace weir::site
