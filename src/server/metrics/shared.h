#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engines/contract/engine_figures.h"
#include "engines/engines.h"
#include "net/unique_fd.h"
#include "server/metrics/counts.h"
#include "server/metrics/recorder.h"
#include "weir/server/metrics.h"

namespace weir::server {

/// The parts of Metrics. The parts beside the counters are set before the server forks.
struct Metrics::Shared {
    /// Throws std::system_error if the system has no memory left.
    Shared();

    std::shared_ptr<Counts> counts;
    std::shared_ptr<std::atomic<State>> state;
    std::string engine;
    unsigned workers = 0;
    bool forks = false;
    pid_t process;
    std::chrono::system_clock::time_point began = std::chrono::system_clock::now();
    // A duration since then does not depend on a clock that is set meanwhile.
    std::chrono::steady_clock::time_point began_steadily = std::chrono::steady_clock::now();

    /// Counts in a file from then on: in `before`, that of the generation before, or in a new one if
    /// `before` is empty or has another layout. Returns true if the counts go on. To call before a
    /// server has the metrics. Throws std::system_error if the system has no memory left.
    bool count_in_file(net::UniqueFd before);
    /// For the next generation; empty if there is no file, and after the first call.
    net::UniqueFd take_file() noexcept { return std::move(file_); }
    /// The connections of the next server of this process, which has none yet.
    std::shared_ptr<Tally> tally() const;
    /// The figures of the next server of this process, which has none yet.
    engines::EngineFigures* figures() const noexcept;
    std::shared_ptr<Histogram> loop_delays() const { return {counts, &counts->loop_delays}; }
    /// Of all generations: those opened by any, and those open in one that is running.
    Connections connections() const noexcept;
    /// Requests of all generations that are under way.
    std::uint64_t active_requests() const noexcept;
    /// Ends what processes that were killed had open and under way. To call when the server has
    /// reaped a process that it forked.
    void forget_killed() const noexcept;
    std::vector<Thread> threads() const;
    /// Of all generations, as `connections`.
    std::optional<Queue> queue() const noexcept;
    std::optional<std::uint64_t> processes() const noexcept;

    void describe(const engines::Engine& of_engine, unsigned of_workers) {
        engine = of_engine.name;
        workers = of_workers;
        forks = of_engine.forks.has_value();
    }
    GenerationCounts of_generation() const noexcept { return {counts, place_}; }
    std::unique_ptr<Recorder> recorder() const {
        return std::make_unique<Recorder>(of_generation());
    }
    /// Async-signal-safe.
    void enter(State entered) const noexcept { *state = entered; }

   private:
    void count_in(std::shared_ptr<Counts> memory);
    bool has_ended(pid_t process_counted) const noexcept;

    net::UniqueFd file_;
    GenerationTally* place_ = nullptr;
};

}  // namespace weir::server
