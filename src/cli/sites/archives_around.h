#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/serve/serve_options.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// Makes a handler around the site that makes archives of folders, without the files that the
/// access rules withhold from a client of the folder; null if the option is off. The error says why
/// this build can't. `inner` must outlive the handler.
std::expected<std::unique_ptr<http::Handler>, std::string> archives_around(
    http::Handler& inner, const SiteOptions& options);

}  // namespace weir::cli
