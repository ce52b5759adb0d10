#pragma once

#include <string>

#include "cli/launch/launch.h"
#include "weir/server/server.h"

namespace weir::cli {

/// Returns why a server can't have its addresses: one of them is a socket of systemd, and this
/// process has got none. Empty if it can.
std::string missing_socket(const server::Options& options);

/// Has the server give a sign of life twice in each period of the watchdog, if there is one: to the
/// supervisor, which passes it on, or to systemd.
void feed_watchdog(server::Options& options);

/// Tells systemd that the server serves.
void tell_serving(const Launch& launch, const server::Server& server);

}  // namespace weir::cli
