#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/document.h"

namespace weir::cli::config {

/// The keys of a [[site]] that are no options.
inline constexpr std::array<std::string_view, 2> site_keys{"name", "default"};

/// For which hosts a site answers.
struct SiteHead {
    std::vector<std::string> names;  // in lower case: "example.org", "*.example.org"
    bool is_default = false;         // for all other hosts
};

/// Reads the keys above of each site. What is wrong, also between the sites, is added to `problems`.
std::vector<SiteHead> site_heads(const Document& document, std::vector<std::string>& problems);

/// A name of a host, an address, or "*." and a name; no port.
bool is_site_name(std::string_view name);

}  // namespace weir::cli::config
