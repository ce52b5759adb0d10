#pragma once

#include <string>
#include <vector>

#include "cli/serve/serve_options.h"

namespace weir::cli {

/// Decides whether folders are listed, unless an option decides it: they are listed if only this
/// machine can connect. Otherwise the 404 page of a folder says how to get a listing.
///
/// A unix socket does not count as local: usually a proxy uses it, and other machines reach the
/// proxy.
void choose_listing(SiteOptions& options, const std::vector<std::string>& addresses);

}  // namespace weir::cli
