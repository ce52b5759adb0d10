#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "engines/contract/host.h"

namespace weir::engines {

/// One architecture. `weir engines` prints the texts in columns.
struct Engine {
    std::string_view name;
    std::string_view waits;         // the thread or process that waits, and its system call
    std::string_view handlers_run;  // the thread or process
    std::string_view good_at;
    std::string_view bad_at;
    bool has_workers = false;    // Options::workers means something
    bool has_queue = false;      // and Options::queue_max
    bool has_busy_poll = false;  // and Options::busy_poll
    bool has_listeners_per_worker = false;
    bool has_rings = false;  // uses io_uring(7)
    /// Handlers run in processes of this kind, and never in that of the server.
    std::optional<Process> forks{};
    /// The time for which the kernel may keep the listeners after the process was killed.
    std::chrono::milliseconds frees_port_within{0};
    /// Serves until the stop signal. Returns an error only if it could not start.
    std::error_code (*run)(Host& host);
    /// The reason why this machine can't run the engine; empty if it can. Null: every machine can.
    std::string_view (*unavailable)() = nullptr;
};

/// All engines of this build, simplest first.
std::span<const Engine> all() noexcept;

/// By name; null if there is none. `auto` is the choice of automatic().
const Engine* find(std::string_view name);

/// The best engine that this machine offers, and the reason for the choice.
struct Choice {
    const Engine& engine;
    std::string why;
};
Choice automatic();

}  // namespace weir::engines
