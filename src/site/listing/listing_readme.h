#pragma once

#include <optional>
#include <string>

#include "site/files/root_directory.h"

namespace weir::site {

struct Listing;

/// A text that describes a directory: README, README.md and the like, in upper or lower case.
struct Readme {
    std::string name;
    std::string text;  // UTF-8 without NUL
    bool cut = false;  // the file is longer
};

/// Reads the first 64 KB of the listing's readme. Returns nothing if there is none, if it cannot be
/// read, or if it is not UTF-8 text.
std::optional<Readme> read_readme(const RootDirectory& root, const std::string& directory,
                                  const Listing& listing);

}  // namespace weir::site
