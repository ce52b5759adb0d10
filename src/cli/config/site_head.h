#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/document.h"

namespace weir::cli::config {

/// The keys of a [[site]] that are not options.
inline constexpr std::array<std::string_view, 2> site_keys{"host", "default"};

/// The hosts that a site answers for.
struct SiteHead {
    std::vector<std::string> hosts;  // as rules::HostHandler::names
    bool is_default = false;         // also for all other hosts
};

/// Reads these keys of each site. Faults, also those between sites, are added to `problems`.
std::vector<SiteHead> site_heads(const Document& document, std::vector<std::string>& problems);

}  // namespace weir::cli::config
