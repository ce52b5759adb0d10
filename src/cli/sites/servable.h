#pragma once

#include <string>
#include <vector>

#include "cli/launch/secrets.h"
#include "weir/site/site.h"

namespace weir::cli {

/// Why a site can't be served, although its root may be there: a device, a folder that was deleted, a
/// secret that anyone could download. Empty if it can be.
std::string why_not_served(const site::Options& site, const std::vector<Secret>& secrets);

}  // namespace weir::cli
