#pragma once

#include "cli/options/serve_options.h"

namespace weir::cli {

/// Unless an option decides it, folders are listed if only this machine can connect. Otherwise the
/// 404 page of a folder says how to get a listing.
///
/// A unix socket does not count: there is usually another server in front of it, which others reach.
void choose_listing(ServeOptions& options);

}  // namespace weir::cli
