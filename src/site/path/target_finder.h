#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <variant>

#include "site/path/lookup.h"
#include "weir/http/status.h"
#include "weir/site/site.h"

namespace weir::site {

/// What stands at a path; file names are relative.
struct FileTarget {
    std::string file;
};
struct ListingTarget {
    std::string directory;
};
struct UnlistedTarget {};  // a directory without an index: 404
struct RedirectTarget {
    std::string path;
};  // not encoded; "/" first, and only one
using Target =
    std::variant<FileTarget, ListingTarget, UnlistedTarget, RedirectTarget, http::Status>;

/// `path` as target_path() gives it.
Target find_target(std::string_view path, const Options& options, Lookup& lookup);

/// How a failure to look at or open a file is answered.
http::Status status_of(const std::error_code& error) noexcept;

}  // namespace weir::site
