#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace weir::site {

/// "a/b/c" -> "a/b"; "a" -> "" (the root).
inline std::string_view parent_of(std::string_view relative) noexcept {
    const std::size_t slash = relative.rfind('/');
    return relative.substr(0, slash == relative.npos ? 0 : slash);
}

inline std::string joined(std::string_view directory, std::string_view name) {
    std::string path{directory};
    if (!path.empty()) path += '/';
    return path.append(name);
}

/// True for the folder itself and for all paths below it. Both are relative to the root.
inline bool is_within(std::string_view path, std::string_view folder) noexcept {
    return path.starts_with(folder) &&
           (folder.empty() || path.size() == folder.size() || path[folder.size()] == '/');
}

inline bool is_within_any(std::string_view path, std::span<const std::string> folders) noexcept {
    return std::ranges::any_of(folders,
                               [path](const std::string& each) { return is_within(path, each); });
}

/// Calls `visit` for each directory above `relative`, the root ("") first.
template <typename Visit>
void for_each_directory_above(std::string_view relative, Visit visit) {
    if (relative.empty()) return;
    visit(std::string_view{});
    for (std::size_t slash = relative.find('/'); slash != relative.npos;
         slash = relative.find('/', slash + 1))
        visit(relative.substr(0, slash));
}

}  // namespace weir::site
