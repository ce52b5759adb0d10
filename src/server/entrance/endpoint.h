#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/address.h"

namespace weir::server {

/// Parses an address with or without a port: "127.0.0.1:8000", "127.0.0.1", "[::1]:8000", "[::1]",
/// "::1", "localhost:80", "unix:/run/weir.sock". Returns nothing if it is malformed.
std::optional<net::Address> parse_endpoint(std::string_view text, std::uint16_t default_port);

/// Parses an address to listen on: what parse_endpoint() accepts, and three short forms. "8080"
/// means port 8080 of 127.0.0.1. "*:8080" and ":8080" mean port 8080 of every address of this
/// machine: 0.0.0.0 first, then [::]. Returns nothing if the text is malformed.
std::vector<net::Address> parse_endpoints(std::string_view text, std::uint16_t default_port);

/// Why the addresses can't be listened on all at once: "127.0.0.1:8000 is given twice", or
/// "127.0.0.1:8000 is given twice: 0.0.0.0:8000 includes it". Empty if they can. They are parsed like
/// those of parse_endpoints().
std::string find_repeated(std::span<const std::string> endpoints, std::uint16_t default_port);

/// True if no other machine can reach any of the endpoints: all are loopback addresses or unix
/// sockets. They are parsed like those of parse_endpoints().
bool are_local(std::span<const std::string> endpoints);
/// The same for loopback addresses alone: a unix socket is usually that of a proxy, which other
/// machines reach.
bool are_loopback(std::span<const std::string> endpoints);

}  // namespace weir::server
