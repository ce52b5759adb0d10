#pragma once

#include "access/beneath.h"
#include "cli/serve/serve_options.h"

namespace weir::cli {

/// Which files below a folder the rules of access keep from one who may ask for the folder.
access::Beneath kept_back(const SiteOptions& options);

}  // namespace weir::cli
