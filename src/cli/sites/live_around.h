#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/serve/serve_options.h"
#include "weir/live/live.h"

namespace weir::cli {

/// Makes a handler around the site through which browsers load pages again when files have changed;
/// null if the option is off. `inner` must outlive the handler. The error is one sentence.
std::expected<std::unique_ptr<live::Reloader>, std::string> live_around(http::Handler& inner,
                                                                        const SiteOptions& options);

}  // namespace weir::cli
