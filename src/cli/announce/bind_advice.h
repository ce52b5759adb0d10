#pragma once

#include <span>
#include <string>

#include "weir/server/server.h"

namespace weir::cli {

/// What helps where an address cannot be listened on: "; this machine has no such address". Empty if
/// the failure says it all.
std::string bind_advice(const server::Failure& failure);

/// Why nobody could connect to any of `addresses` (from Server::addresses()), though they can be
/// listened on: all are of IPv6, and it is switched off. Empty if somebody can.
std::string unreachable(std::span<const std::string> addresses);

}  // namespace weir::cli
