#pragma once

#include "access/beneath.h"
#include "cli/serve/serve_options.h"

namespace weir::cli {

/// The files below a folder that the access rules withhold from a client that may read the folder.
access::Beneath kept_back(const SiteOptions& options);

}  // namespace weir::cli
