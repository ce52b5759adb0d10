#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "site/files/root_directory.h"

namespace weir::site {

/// A text that describes a directory: README, README.md and the like, in upper or lower case.
struct Readme {
    std::string name;
    std::string text;  // UTF-8 without NUL
    bool cut = false;  // the file is longer
};

/// `name` describes a directory, and better than `other` does. No name ("") does not.
bool is_better_readme(std::string_view name, std::string_view other) noexcept;

/// Reads the first 64 KB of the readme `name`. Returns nothing if it cannot be read, or if it is not
/// UTF-8 text.
std::optional<Readme> read_readme(const RootDirectory& root, const std::string& directory,
                                  const std::string& name);

}  // namespace weir::site
