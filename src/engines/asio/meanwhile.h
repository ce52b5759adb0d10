#pragma once

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <chrono>
#include <new>

#include "base/troubles.h"
#include "engines/peer/connection_limit.h"

namespace weir::engines {

/// If Asio has no memory for the next operations of a loop, the loop goes on for a moment with
/// those that are under way: a client that leaves frees memory. If the loop only slept, it might
/// sleep for ever, because no other part has the missing memory.
inline void go_on_meanwhile(asio::io_context& io) {
    const auto until = std::chrono::steady_clock::now() + ConnectionLimit::pause;
    while (!io.stopped() && std::chrono::steady_clock::now() < until) try {
            io.run_until(until);
        } catch (const std::bad_alloc&) {
            troubles().note(Trouble::memory);
        }
}

/// Calls `serve` until it returns true. An io_context without any operation ends, and its loop with
/// it. The guard prevents that while the loop has no memory to start an operation.
template <typename Serve>
void serve_until_done(asio::io_context& io, Serve serve) {
    const auto has_work = asio::make_work_guard(io);
    while (!serve()) go_on_meanwhile(io);
}

}  // namespace weir::engines
