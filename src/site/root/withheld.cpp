#include "site/root/withheld.h"

#include <sys/stat.h>

#include <algorithm>

#include "http/syntax/lower_case.h"
#include "site/path/glob.h"

namespace weir::site {

Withheld::Identity Withheld::identity_of(const std::string& path) noexcept {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {.device = status.st_dev, .inode = status.st_ino};
}

Withheld::Withheld(const std::vector<std::string>& paths, const std::vector<std::string>& hidden) {
    for (const std::string& glob : hidden) hidden_.push_back(tree_pattern(glob));
    for (const std::string& path : paths) {
        const auto slash = path.rfind('/');
        const bool has_folder = slash != path.npos;
        all_.push_back({.path = path,
                        .folder = has_folder ? path.substr(0, slash + 1) : ".",
                        .name = path.substr(has_folder ? slash + 1 : 0),
                        .seen = identity_of(path)});
    }
}

bool Withheld::hides(std::string_view path) const {
    if (hidden_.empty()) return false;
    const std::string from_root = "/" + http::lower_case(path);
    return std::ranges::any_of(
        hidden_, [&](const std::string& pattern) { return tree_has(pattern, from_root); });
}

bool Withheld::has(const FileState& file) const noexcept {
    const Identity wanted{.device = file.device, .inode = file.inode};
    return std::ranges::any_of(all_, [&](const Each& each) {
        const Identity now = identity_of(each.path);
        return (now == Identity{} ? each.seen : now) == wanted;
    });
}

bool Withheld::may_have(std::string_view name) const noexcept {
    return std::ranges::any_of(all_, [&](const Each& each) { return name.starts_with(each.name); });
}

bool Withheld::has_beside(std::string_view name, const FileState& folder) const noexcept {
    const Identity wanted{.device = folder.device, .inode = folder.inode};
    return std::ranges::any_of(all_, [&](const Each& each) {
        return name.starts_with(each.name) && identity_of(each.folder) == wanted;
    });
}

}  // namespace weir::site
