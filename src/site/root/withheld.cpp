#include "site/root/withheld.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/last_error.h"
#include "http/syntax/lower_case.h"
#include "site/path/glob.h"
#include "site/root/root_directory.h"

namespace weir::site {

Withheld::Looked Withheld::identity_of(const std::string& path) noexcept {
    struct stat status{};
    if (::stat(path.c_str(), &status) == 0)
        return Identity{.device = status.st_dev, .inode = status.st_ino};
    const std::error_code error = last_error();
    if (!is_fact(error)) return std::unexpected{error};
    return Identity{};
}

Withheld::Withheld(const std::vector<std::string>& paths, const std::vector<std::string>& hidden) {
    for (const std::string& glob : hidden) hidden_.push_back(tree_pattern(glob));
    for (const std::string& path : paths) {
        const auto slash = path.rfind('/');
        const bool has_folder = slash != path.npos;
        all_.push_back({.path = path,
                        .folder = has_folder ? path.substr(0, slash + 1) : ".",
                        .name = path.substr(has_folder ? slash + 1 : 0),
                        .seen = identity_of(path).value_or(Identity{})});
    }
}

bool Withheld::hides(std::string_view path) const {
    if (hidden_.empty()) return false;
    const std::string from_root = "/" + http::lower_case(path);
    return std::ranges::any_of(
        hidden_, [&](const std::string& pattern) { return tree_has(pattern, from_root); });
}

std::expected<bool, std::error_code> Withheld::has(const FileState& file) const noexcept {
    const Identity wanted{.device = file.device, .inode = file.inode};
    for (const Each& each : all_) {
        const Looked now = identity_of(each.path);
        if (!now) return std::unexpected{now.error()};
        if ((*now == Identity{} ? each.seen : *now) == wanted) return true;
    }
    return false;
}

bool Withheld::may_have(std::string_view name) const noexcept {
    return std::ranges::any_of(all_, [&](const Each& each) { return name.starts_with(each.name); });
}

std::expected<bool, std::error_code> Withheld::has_beside(std::string_view name,
                                                          const FileState& folder) const noexcept {
    const Identity wanted{.device = folder.device, .inode = folder.inode};
    for (const Each& each : all_) {
        if (!name.starts_with(each.name)) continue;
        const Looked now = identity_of(each.folder);
        if (!now) return std::unexpected{now.error()};
        if (*now == wanted) return true;
    }
    return false;
}

}  // namespace weir::site
