#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <system_error>
#include <vector>

#include "net/listener.h"
#include "weir/server/options.h"
#include "weir/server/server.h"

namespace weir::server {

using Listeners = std::vector<net::Listener>;

/// If a limit of the system caused the error, the message names the limit.
std::unexpected<Failure> failure(const std::string& what, std::error_code code,
                                 std::string address = {});

/// Listens on Options::addresses, and then on Options::redirect_addresses, on all of them or on
/// none. Tries for `patience` while a port is in use.
std::expected<Listeners, Failure> open_listeners(const Options& options,
                                                 std::chrono::milliseconds patience);

/// The port of the first listener that has one; 443 if no listener has one.
std::uint16_t port_of(const Listeners& listeners);

}  // namespace weir::server
