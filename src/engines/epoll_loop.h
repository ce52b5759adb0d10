#pragma once

#include <expected>
#include <functional>
#include <span>
#include <system_error>

#include "engines/engines.h"
#include "engines/gate.h"
#include "net/listener.h"

namespace weir::engines {

/// The loop of epoll_edge.cpp, for engines that run several of them. All that can fail to start has
/// been started when it returns; what it returns serves what comes to `listeners` until the stop
/// signal, on the thread that calls it.
std::expected<std::move_only_function<void()>, std::error_code> open_epoll_loop(
    Host& host, Gate& gate, std::span<net::Listener> listeners);

}  // namespace weir::engines
