#pragma once

#include <functional>
#include <optional>
#include <string>

namespace weir::site {

/// Resolves the absolute `path` as the kernel does (path_resolution(7)), one name after the other, and
/// calls `before(directory, name)` before it looks at the name. `directory` is a path without links.
/// Ends early where a name does not exist. False if it could not look at one.
bool for_each_name(
    const std::string& path,
    const std::function<void(const std::string& directory, const std::string& name)>& before);

struct FilePlace {
    std::string directory;  // without links
    std::string name;
};
/// Where the file is to which the absolute `path` leads, or would lead if it were there. Nothing if a
/// directory on the way is not there.
std::optional<FilePlace> place_of_file(const std::string& path);

}  // namespace weir::site
