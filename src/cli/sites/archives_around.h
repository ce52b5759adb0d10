#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/serve/serve_options.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// A handler around the site that makes archives of folders, without what the rules of access keep
/// from one who may ask for the folder; null if that is off. Or a sentence that says why this build
/// can't. `inner` must outlive it.
std::expected<std::unique_ptr<http::Handler>, std::string> archives_around(
    http::Handler& inner, const SiteOptions& options);

}  // namespace weir::cli
