#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <variant>

#include "site/lookup/lookup.h"
#include "weir/http/status.h"
#include "weir/site/site.h"

namespace weir::site {

/// The targets of paths. File names are relative to the root.
struct FileTarget {
    std::string file;
};
struct ListingTarget {
    std::string directory;
};
struct UnlistedTarget {};  // a directory without an index: 404
struct RedirectTarget {
    std::string path;  // not encoded; starts with exactly one "/"
};
using Target =
    std::variant<FileTarget, ListingTarget, UnlistedTarget, RedirectTarget, http::Status>;

/// For a site of one file: switches off everything that would need other files.
void serve_one_file(Options& options);

/// Finds the target of `path`, which is a result of target_path().
Target find_target(std::string_view path, const Options& options, Lookup& lookup);

/// The status for a failure to look at a file or to open it.
http::Status status_of(const std::error_code& error) noexcept;

}  // namespace weir::site
