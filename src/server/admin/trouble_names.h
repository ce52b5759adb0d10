#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/troubles.h"

namespace weir::server {

/// By Trouble: what metrics call them.
inline constexpr std::array<std::string_view, Troubles::kinds> trouble_names{
    "descriptors",   "memory",     "connections", "per_address", "slow_peers", "calmed_peers",
    "proxy_headers", "handshakes", "watches",     "log_lines",   "workers"};
static_assert(!trouble_names.back().empty());

}  // namespace weir::server
