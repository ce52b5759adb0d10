#pragma once

#include <expected>
#include <system_error>

#include "engines/host.h"
#include "engines/loop/acceptor.h"
#include "engines/loop/loops.h"
#include "engines/peer/connection_limit.h"

namespace weir::engines {

/// The loop of epoll_edge.cpp, for engines that run several of them. All that can fail to start has
/// been started when it returns; what it returns serves whoever comes in by `source` until the
/// stop signal, on the thread that calls it.
std::expected<Loop, std::error_code> open_epoll_loop(Host& host, ConnectionLimit& limit,
                                                     ConnectionSource source);

}  // namespace weir::engines
