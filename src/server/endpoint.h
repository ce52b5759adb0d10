#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "net/address.h"

namespace weir::server {

/// Reads an address as people write it, its port included or not: "127.0.0.1:8000", "127.0.0.1",
/// "[::1]:8000", "[::1]", "::1", "localhost:80", "unix:/run/weir.sock".
std::optional<net::Address> parse_endpoint(std::string_view text, std::uint16_t default_port);

}  // namespace weir::server
