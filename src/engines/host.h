#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "http/connection.h"
#include "http/observer.h"
#include "http/workspace.h"
#include "net/event_fd.h"
#include "net/listener.h"
#include "net/stop_signal.h"
#include "weir/http/handler.h"
#include "weir/http/limits.h"

namespace weir::engines {

/// What an engine may use, and what the server decided for it.
struct Options {
    /// Threads, loops or processes, where the engine has several; 0: the cores this process may
    /// use.
    unsigned workers = 0;
    /// Each worker runs on a core of its own, the first on the first that this process may use.
    bool pin = false;
    /// Connections at once, over all workers; more wait in the backlog. 0: as many as the limit
    /// on descriptors allows, less a reserve.
    std::uint32_t connections_max = 0;
    /// Connections or requests, whichever the engine queues for its workers: so many wait for one,
    /// and past them it stops accepting or reading. Enough to keep workers busy through a burst;
    /// what waits longer is better off in the kernel's backlog, where it is no memory of ours.
    unsigned queue_max = 128;
    /// How long a loop looks for events before it sleeps, where that pays; zero: not at all.
    std::chrono::microseconds busy_poll{0};
    /// How long connections at work may go on after a stop before they are cut.
    std::chrono::milliseconds stop_timeout{10'000};
};

/// What a process is for that an engine has forked.
enum class Process : std::uint8_t { worker, connection };

/// What a server lends to its engine until run() returns.
struct Host {
    std::span<net::Listener> listeners;  // bound and listening
    http::Handler& handler;              // doesn't throw; called on any thread
    const http::Limits& limits;
    const http::Timeouts& timeouts;
    http::Observer* observer;  // may be null; called on any thread
    net::StopSignal& stop;
    Options options;
    /// Makes the protocol's side of an accepted connection: HTTP/1 here, TLS around it elsewhere.
    std::function<std::unique_ptr<http::Connection>(http::Workspace&, http::Origin&, Now)> connect;

    /// Runs `serve`, in a process that the engine has forked, within what the server needs in each:
    /// a log's thread, say, which no fork brings along. May set `observer` first. Empty: nothing.
    std::function<int(Process, const std::function<int()>& serve)> within_process{};
    /// Takes a sentence about a process that ended otherwise than it should. May be empty.
    std::function<void(std::string_view sentence)> report{};
    /// Rung to have all worker processes replaced by new ones. Null: never.
    net::EventFd* reload = nullptr;
};

}  // namespace weir::engines
