#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "server/metrics/series.h"

namespace weir::server {

/// The upper bounds of the histogram of durations, in microseconds. From 5 ms on, they are those of
/// OpenTelemetry's conventions.
inline constexpr std::array<std::uint64_t, 18> duration_bounds{
    100,    250,     500,     1'000,   2'500,   5'000,     10'000,    25'000,    50'000,
    75'000, 100'000, 250'000, 500'000, 750'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000};

/// Durations, by their lengths.
struct Histogram {
    using Count = std::atomic<std::uint64_t>;

    std::array<Count, duration_bounds.size() + 1> by_duration{};  // the last one: beyond all
    Count microseconds{0};

    /// Other threads may count, too.
    void count_among_others(std::chrono::microseconds duration) noexcept {
        const auto number = static_cast<std::uint64_t>(duration.count());
        by_duration[bucket_of(number)].fetch_add(1, std::memory_order_relaxed);
        microseconds.fetch_add(number, std::memory_order_relaxed);
    }
    static std::size_t bucket_of(std::uint64_t microseconds) noexcept {
        std::size_t bucket = 0;
        while (bucket < duration_bounds.size() && microseconds > duration_bounds[bucket]) ++bucket;
        return bucket;
    }
};

/// The counts of one series by one thread. One thread writes; any may read.
struct Cell : Histogram {
    Count content_bytes{0};
};

/// The cells of one thread.
struct Slot {
    std::atomic<pid_t> owner{0};       // the process of the thread; 0: the slot is free
    std::atomic<pid_t> generation{0};  // the process of the server, which may have forked the owner
    std::atomic<bool> was_used{false};  // reading one that was not would give it memory
    Cell::Count active{0};  // requests under way, modulo 2^64; a request may end in another slot
    Cell::Count open{0};    // connections of a process that was forked, modulo 2^64, too
    std::array<Cell, SeriesTable::size> cells{};
};

}  // namespace weir::server
