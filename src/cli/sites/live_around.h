#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/serve/serve_options.h"
#include "weir/live/live.h"

namespace weir::cli {

/// A handler around the site that has pages loaded again when files have changed; null if that is off.
/// `inner` must outlive it. The error is one sentence.
std::expected<std::unique_ptr<live::Reloader>, std::string> live_around(http::Handler& inner,
                                                                        const SiteOptions& options);

}  // namespace weir::cli
