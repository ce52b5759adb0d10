#pragma once

#include <functional>
#include <optional>
#include <string>

namespace weir::site {

/// Resolves the absolute `path` as the kernel does (path_resolution(7)), one name after the other.
/// Calls `before(directory, name)` before it reads each name. `directory` is a path without links.
/// Ends early if a name does not exist. False if a name could not be read.
bool for_each_name(
    const std::string& path,
    const std::function<void(const std::string& directory, const std::string& name)>& before);

struct FilePlace {
    std::string directory;  // without links
    std::string name;
};
/// The place of the file to which the absolute `path` leads, or would lead if the file existed.
/// Null if a directory on the way does not exist.
std::optional<FilePlace> place_of_file(const std::string& path);

}  // namespace weir::site
