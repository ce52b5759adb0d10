#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "engines/contract/host.h"

namespace weir::engines {

/// One architecture. The columns are what `weir engines` prints.
struct Engine {
    std::string_view name;
    std::string_view waits;         // who waits for the peer
    std::string_view handlers_run;  // where handlers run
    std::string_view good_at;
    std::string_view bad_at;
    bool has_workers = false;    // Options::workers means something
    bool has_queue = false;      // and Options::queue_max
    bool has_busy_poll = false;  // and Options::busy_poll
    bool has_listeners_per_worker = false;
    bool has_rings = false;  // it uses io_uring(7)
    /// Handlers run in processes of this kind, and never in that of the server.
    std::optional<Process> forks{};
    /// For how long the kernel may keep the listeners after the process was killed.
    std::chrono::milliseconds frees_port_within{0};
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
