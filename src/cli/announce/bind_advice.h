#pragma once

#include <span>
#include <string>

#include "weir/server/server.h"

namespace weir::cli {

/// Advice for an address that cannot be listened on: "; this machine has no such address". Empty if
/// the failure says it all.
std::string bind_advice(const server::Failure& failure);

/// The reason why no client can connect to any of `addresses` (from Server::addresses()), although
/// the server listens: all are IPv6, and IPv6 is switched off. Empty if a client can connect.
std::string unreachable(std::span<const std::string> addresses);

}  // namespace weir::cli
