#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

namespace weir {

/// Names the monotonic clock without reading it: time is an argument in everything below the
/// engines, so that tests can jump it. net/clock.h is the one place that reads clocks.
struct Monotonic {
    using rep = std::int64_t;
    using period = std::milli;
    using duration = std::chrono::milliseconds;
    using time_point = std::chrono::time_point<Monotonic, duration>;
    static constexpr bool is_steady = true;
};

using Instant = Monotonic::time_point;

/// A deadline that never comes.
inline constexpr Instant never = Instant::max();

/// What an engine tells the core about time with each call: the instant for deadlines, and the
/// wall clock for Date. Taken once per wake-up, not once per request.
struct Now {
    Instant instant;
    std::int64_t unix_seconds = 0;  // seconds since 1970-01-01T00:00:00Z
};

}  // namespace weir
