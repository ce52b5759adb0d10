#include "site/path/hashed_name.h"

#include <algorithm>
#include <cstddef>

namespace weir::site {

namespace {

constexpr std::size_t hash_size = 8;  // of Vite, Rollup, esbuild and Parcel; webpack has 20

bool is_hash(std::string_view text) noexcept {
    const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto is_other = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
    const bool has_dash = text.contains('-');
    return (has_dash ? text.size() == hash_size : text.size() >= hash_size) &&
           std::ranges::any_of(text, is_other) && std::ranges::all_of(text, [&](char c) {
               return is_small(c) || is_other(c) || c == '_' || c == '-';
           });
}

/// A part of a name between dots: "index-BHx2k3a9".
bool ends_with_hash(std::string_view part) noexcept {
    for (std::size_t dash = part.find('-'); dash != part.npos; dash = part.find('-', dash + 1))
        if (is_hash(part.substr(dash + 1))) return true;
    return false;
}

}  // namespace

bool has_hash(std::string_view path) noexcept {
    std::string_view name = path.substr(path.rfind('/') + 1);
    for (bool is_first = true;; is_first = false) {
        const std::size_t dot = name.find('.');
        if (dot == name.npos) return false;
        const std::string_view part = name.substr(0, dot);
        if ((!is_first && is_hash(part)) || ends_with_hash(part)) return true;
        name.remove_prefix(dot + 1);
    }
}

}  // namespace weir::site
