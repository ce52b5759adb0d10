#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/address.h"

namespace weir::server {

/// Reads an address as people write it, its port included or not: "127.0.0.1:8000", "127.0.0.1",
/// "[::1]:8000", "[::1]", "::1", "localhost:80", "unix:/run/weir.sock".
std::optional<net::Address> parse_endpoint(std::string_view text, std::uint16_t default_port);

/// Reads where to listen: what parse_endpoint() reads, and three short forms. A port alone ("8080")
/// is that port of 127.0.0.1. "*" or nothing in place of the host ("*:8080", ":8080") is every
/// address of this machine: 0.0.0.0 and then [::]. Empty where the text is none of these.
std::vector<net::Address> parse_endpoints(std::string_view text, std::uint16_t default_port);

/// No other machine reaches any of these: they are loopback addresses or unix sockets, each as
/// parse_endpoints() reads it.
bool are_local(std::span<const std::string> endpoints);

}  // namespace weir::server
