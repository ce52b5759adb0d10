#pragma once

#include <string>
#include <vector>

#include "cli/launch/secrets.h"
#include "weir/site/site.h"

namespace weir::cli {

/// The reason why a site can't be served, although its root may exist: a device, a deleted folder,
/// or a secret that anyone could download. Empty if the site can be served.
std::string why_not_served(const site::Options& site, const std::vector<Secret>& secrets);

}  // namespace weir::cli
