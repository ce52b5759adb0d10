#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/metrics/process_figures.h"
#include "server/metrics/totals.h"
#include "weir/base/now.h"

namespace weir::server {

/// What does not change while the server runs.
struct About {
    std::string version;
    std::string engine;
    unsigned workers = 0;
    bool forks = false;  // handlers run in other processes
    std::vector<std::string> addresses;
    /// A turn of a loop that takes longer is a fault; 0: none is.
    std::chrono::milliseconds turn_max{0};
};

/// What the server itself knows at one moment.
struct State {
    bool is_serving = false;  // false from the begin of a stop
    std::uint64_t connections = 0;
    /// Of all connections together, as --memory limits it. 0: each process has its own.
    std::uint64_t memory_used = 0;
    std::uint64_t memory_max = 0;
    /// Connections or requests that wait for a worker; `queue_max` is 0 if the engine has no queue.
    std::uint64_t queue_length = 0;
    std::uint64_t queue_max = 0;
};

/// Everything that the pages tell of, at one moment.
struct Facts {
    const About& about;
    const State state;
    const Totals totals;
    const ProcessFigures::Read process;
    const Now now;

    bool has_stuck_loop() const noexcept {
        return about.turn_max.count() != 0 && totals.longest_turn(now.instant) > about.turn_max;
    }
};

}  // namespace weir::server
