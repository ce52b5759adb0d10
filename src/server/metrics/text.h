#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>

#include "server/metrics/counts.h"
#include "weir/server/metrics.h"

namespace weir::server {

/// The counts of a series, over all threads.
struct SeriesSum {
    std::array<std::uint64_t, duration_bounds.size() + 1> by_duration{};
    std::uint64_t microseconds = 0;
    std::uint64_t content_bytes = 0;

    std::uint64_t requests() const noexcept {
        return std::accumulate(by_duration.begin(), by_duration.end(), std::uint64_t{0});
    }
};

SeriesSum sum_of(const Counts& counts, std::size_t series) noexcept;

/// Facts of a server that have no counter of their own.
struct ServerFacts {
    Metrics::Connections connections;
    std::optional<std::uint64_t> connections_waiting;
    std::uint64_t active_requests;
    std::optional<Metrics::Queue> queue;
    std::optional<std::uint64_t> processes;
    Metrics::State state;
    std::string engine;
    unsigned workers;
    pid_t process;
    std::chrono::duration<double> began;  // since 1970
};

/// See Metrics::text().
std::string text_of(const Counts& counts, const ServerFacts& facts, Metrics::Format format);

}  // namespace weir::server
