#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <system_error>
#include <utility>

#include "engines/contract/host.h"
#include "engines/loop/acceptor.h"
#include "engines/peer/connection_limit.h"
#include "net/io.h"
#include "net/listener.h"

namespace weir::engines {

/// A loop that is ready to run: serves until the stop signal, on the thread that calls it.
using Loop = std::move_only_function<void()>;

/// Makes a loop that serves the connections of `listeners`. All that can fail to start has been
/// started when it returns.
using OpenLoop = std::function<std::expected<Loop, std::error_code>(
    Host& host, ConnectionLimit& limit, std::span<net::Listener> listeners)>;

/// Runs as many loops as Options::workers says, each on a thread of its own (the first one on the
/// caller's) and with its own listeners on the same addresses.
std::error_code run_loops(Host& host, const OpenLoop& open_loop);

/// Runs one loop, on the caller's thread.
std::error_code run_loop(Host& host, const OpenLoop& open_loop);

/// An OpenLoop for an engine's class, whose constructor takes (host, limit, source), and which has
/// run(). If its start can fail, it has open(), which gets the arguments behind the source. SIGPIPE
/// is blocked while the loop runs: sendfile(2) raises it, and no flag prevents that.
template <typename Engine, typename... Wanted>
std::expected<Loop, std::error_code> loop_of(Host& host, ConnectionLimit& limit,
                                             ConnectionSource source, Wanted... wanted) try {
    auto engine = std::make_unique<Engine>(host, limit, source);
    if constexpr (requires { engine->open(wanted...); })
        if (const auto error = engine->open(wanted...)) return std::unexpected{error};
    return [engine = std::move(engine)] {
        const net::SigpipeBlocked sigpipe_blocked;
        engine->run();
    };
} catch (const std::system_error& error) {
    return std::unexpected{error.code()};
} catch (const std::bad_alloc&) {
    return std::unexpected{std::make_error_code(std::errc::not_enough_memory)};
}

}  // namespace weir::engines
