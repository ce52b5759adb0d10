#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "net/address.h"
#include "upstream/target.h"

namespace weir::upstream {

/// The addresses of a name, as text. May take seconds. The error is a sentence without its full
/// stop.
using LookUp =
    std::function<std::expected<std::vector<std::string>, std::string>(const std::string& name)>;

/// The most addresses of a name. Further ones are not used.
constexpr std::size_t addresses_max = 32;

/// Asks the system: getaddrinfo(3). A LookUp.
std::expected<std::vector<std::string>, std::string> ask_system(const std::string& name);

/// The addresses of a name with that port, in the order in which they are tried; at least one.
std::expected<std::vector<net::Address>, std::string> look_up(const std::string& name,
                                                              std::uint16_t port, const LookUp& by);
/// Adds its addresses to a server that has a name.
std::expected<void, std::string> look_up(Target& target, const LookUp& by = ask_system);

/// The families in turn, beginning with that of the first address (RFC 8305 4): if one of them is
/// of no use here, the second attempt to connect is made by the other one.
std::vector<net::Address> in_turn(std::span<const net::Address> addresses);

}  // namespace weir::upstream
