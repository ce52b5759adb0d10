#pragma once

#include <expected>
#include <system_error>

#include "engines/contract/host.h"
#include "engines/loop/acceptor.h"
#include "engines/loop/loops.h"
#include "engines/peer/connection_limit.h"

namespace weir::engines {

/// An OpenLoop (see loops.h) of the loop in epoll_edge.cpp, for engines that run several of them.
/// The loop takes its connections from listeners, or from a thread that accepts.
std::expected<Loop, std::error_code> open_epoll_loop(Host& host, ConnectionLimit& limit,
                                                     ConnectionSource source);

}  // namespace weir::engines
