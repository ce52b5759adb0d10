#pragma once

#include <expected>
#include <functional>
#include <span>
#include <system_error>

#include "engines/host.h"
#include "engines/peer/connection_limit.h"
#include "net/listener.h"

namespace weir::engines {

/// A loop that is ready to run: serves until the stop signal, on the thread that calls it.
using Loop = std::move_only_function<void()>;

/// Makes a loop that serves what comes to `listeners`. All that can fail to start has been started
/// when it returns.
using OpenLoop = std::function<std::expected<Loop, std::error_code>(
    Host& host, ConnectionLimit& limit, std::span<net::Listener> listeners)>;

/// As many loops as Options::workers says, or cores, each on a thread of its own (the first one on
/// the caller's) and with its own listeners on the same addresses.
std::error_code run_loops(Host& host, const OpenLoop& open_loop);

}  // namespace weir::engines
