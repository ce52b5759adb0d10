#pragma once

#include <span>
#include <system_error>

#include "engines/engines.h"
#include "engines/gate.h"
#include "net/listener.h"

namespace weir::engines {

/// The loop of epoll_edge.cpp, for engines that run several of them: serves what comes to
/// `listeners` on the calling thread until the stop signal. An error only where it could not start.
std::error_code run_epoll_loop(Host& host, Gate& gate, std::span<net::Listener> listeners);

}  // namespace weir::engines
