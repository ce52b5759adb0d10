#pragma once

#include <functional>
#include <string_view>

#include "cli/serve/serve_options.h"

namespace weir::cli {

/// Says which files below a folder the rules of access keep from one who may ask for the folder; null if
/// they keep none. See access::Beneath.
std::function<bool(std::string_view folder, std::string_view path)> kept_back(
    const SiteOptions& options);

}  // namespace weir::cli
