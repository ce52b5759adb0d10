#pragma once

#include <functional>
#include <string>

namespace weir::site {

/// Resolves the absolute `path` as the kernel does (path_resolution(7)), one name after the other, and
/// calls `before(directory, name)` before it looks at the name. `directory` is a path without links.
/// Ends early where a name does not exist. False if it could not look at one.
bool for_each_name(
    const std::string& path,
    const std::function<void(const std::string& directory, const std::string& name)>& before);

}  // namespace weir::site
