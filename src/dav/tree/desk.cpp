#include "dav/tree/desk.h"

#include <algorithm>

#include "site/path/paths.h"

namespace weir::dav {

bool Desk::takes(std::string_view path) const noexcept {
    return site::is_within_any(path, options.folders);
}

bool Desk::stays(std::string_view path) const noexcept {
    return std::ranges::any_of(options.folders, [path](const std::string& folder) {
        return site::is_within(folder, path);
    });
}

}  // namespace weir::dav
