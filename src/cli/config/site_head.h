#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/document.h"

namespace weir::cli::config {

/// The keys of a [[site]] that are no options.
inline constexpr std::array<std::string_view, 2> site_keys{"host", "default"};

/// For which hosts a site answers.
struct SiteHead {
    std::vector<std::string> hosts;  // as rules::HostHandler::names
    bool is_default = false;         // for all other hosts, too
};

/// Reads the keys above of each site. What is wrong, also between the sites, is added to `problems`.
std::vector<SiteHead> site_heads(const Document& document, std::vector<std::string>& problems);

}  // namespace weir::cli::config
