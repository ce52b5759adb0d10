#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "http/connection.h"
#include "http/observer.h"
#include "http/workspace.h"
#include "net/bell.h"
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
    net::Bell* reload = nullptr;
};

/// One architecture. The columns are what `weir engines` prints.
struct Engine {
    std::string_view name;
    std::string_view waits;         // who waits for the peer
    std::string_view handlers_run;  // where handlers run
    std::string_view good_at;
    std::string_view bad_at;
    bool has_workers;            // Options::workers means something
    bool has_queue = false;      // and Options::queue_max
    bool has_busy_poll = false;  // and Options::busy_poll
    /// Handlers run in processes of this kind, and never in that of the server.
    std::optional<Process> forks{};
    /// Serves until the stop signal; an error only where it could not start.
    std::error_code (*run)(Host& host);
    /// Why this machine can't run it; empty where it can. Null: every machine can.
    std::string_view (*unavailable)() = nullptr;
};

/// All that are built in, simplest first.
std::span<const Engine> all() noexcept;

/// By name; null where there is none. `auto` is what automatic() chooses.
const Engine* find(std::string_view name);

/// The best that this machine offers, and why it is that.
struct Choice {
    const Engine& engine;
    std::string why;
};
Choice automatic();

}  // namespace weir::engines
