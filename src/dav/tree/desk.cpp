#include "dav/tree/desk.h"

#include <algorithm>

#include "site/path/paths.h"

namespace weir::dav {

bool Desk::takes(std::string_view path) const noexcept {
    return std::ranges::any_of(options.folders, [path](const std::string& folder) {
        return site::is_within(path, folder);
    });
}

bool Desk::stays(std::string_view path) const noexcept {
    return std::ranges::any_of(options.folders, [path](const std::string& folder) {
        return site::is_within(folder, path);
    });
}

upload::Target target_of(std::string_view path) {
    const auto slash = path.rfind('/');
    return {.folder = std::string{site::parent_of(path)},
            .name = std::string{path.substr(slash == path.npos ? 0 : slash + 1)}};
}

}  // namespace weir::dav
