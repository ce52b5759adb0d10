#pragma once

#include "cli/serve_options.h"

namespace weir::cli {

/// Where the command line leaves it open, folders are listed if only this machine can connect.
/// Otherwise the page that is shown in place of a listing says how to get one.
///
/// A unix socket is not taken for this machine alone: mostly another server that others reach is in
/// front of it.
void choose_listing(ServeOptions& options);

}  // namespace weir::cli
