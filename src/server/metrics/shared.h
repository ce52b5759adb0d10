#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/metrics/counts.h"
#include "server/metrics/recorder.h"
#include "weir/server/metrics.h"

namespace weir::server {

/// The parts of Metrics. The parts beside the counters are set before the server forks.
struct Metrics::Shared {
    std::shared_ptr<Counts> counts;
    std::function<Connections()> connections;  // null: no server has the metrics yet
    std::string engine;
    unsigned workers = 0;
    pid_t process = 0;
    std::chrono::system_clock::time_point began;

    void describe(std::string_view of_engine, unsigned of_workers) {
        engine = of_engine;
        workers = of_workers;
    }
    std::unique_ptr<Recorder> recorder() const { return std::make_unique<Recorder>(counts); }
    /// Async-signal-safe.
    void enter(State state) const noexcept { counts->state = state; }
};

}  // namespace weir::server
