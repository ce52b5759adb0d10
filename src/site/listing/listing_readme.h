#pragma once

#include <optional>
#include <string>

#include "site/files/root_directory.h"

namespace weir::site {

struct Listing;

/// A text that explains a directory: README, README.md and the like, in any case.
struct Readme {
    std::string name;
    std::string text;  // UTF-8 without NUL
    bool cut = false;  // the file is longer
};

/// The one that is in the listing, its first 64 KB. Nothing where there is none, or where it can't
/// be read or is no UTF-8 text.
std::optional<Readme> read_readme(const RootDirectory& root, const std::string& directory,
                                  const Listing& listing);

}  // namespace weir::site
