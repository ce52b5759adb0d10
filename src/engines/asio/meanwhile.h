#pragma once

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <chrono>
#include <new>

#include "base/troubles.h"
#include "engines/peer/connection_limit.h"

namespace weir::engines {

/// Where Asio has no memory for what a loop asks of it next, it goes on for a moment with what it was
/// asked before: a client that leaves gives memory back. To wait alone would be to wait for ever, where
/// nobody else has what is missing.
inline void go_on_meanwhile(asio::io_context& io) {
    const auto until = std::chrono::steady_clock::now() + ConnectionLimit::pause;
    while (!io.stopped() && std::chrono::steady_clock::now() < until) try {
            io.run_until(until);
        } catch (const std::bad_alloc&) {
            troubles().note(Trouble::memory);
        }
}

/// Calls `serve` until it returns true. An io_context of which nothing is asked ends, and with it the
/// loop: a loop that could ask nothing, for want of memory, would be gone for good.
template <typename Serve>
void serve_until_done(asio::io_context& io, Serve serve) {
    const auto has_work = asio::make_work_guard(io);
    while (!serve()) go_on_meanwhile(io);
}

}  // namespace weir::engines
