#pragma once

#include <cstdint>
#include <initializer_list>
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

/// Parses an address to listen on: a text for parse_endpoint(), or one of three short forms. "8080"
/// means port 8080 of 127.0.0.1. "*:8080" and ":8080" mean port 8080 of every address of this
/// machine: 0.0.0.0 first, then [::]. Returns nothing if the text is malformed.
std::vector<net::Address> parse_endpoints(std::string_view text, std::uint16_t default_port);

/// The port of addresses for redirects that have none.
inline constexpr std::uint16_t redirect_port = 80;

/// Addresses for parse_endpoints(), and the port of those that have none.
struct Endpoints {
    std::span<const std::string> texts;
    std::uint16_t default_port;
};

/// Returns why it is impossible to listen on all the addresses at once: "127.0.0.1:8000 is given
/// twice", or "127.0.0.1:8000 is given twice: 0.0.0.0:8000 includes it". Empty if it is possible.
std::string find_repeated(std::initializer_list<Endpoints> lists);

/// True if no other machine can reach any of the endpoints: all are loopback addresses or unix
/// sockets. They are parsed as in parse_endpoints(); false for a malformed one.
bool are_local(std::span<const std::string> endpoints);
/// The same, but false for unix sockets: a unix socket is usually that of a proxy, and other
/// machines reach the proxy.
bool are_loopback(std::span<const std::string> endpoints);

}  // namespace weir::server
