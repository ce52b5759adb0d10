#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

namespace weir {

/// A type for the monotonic clock, which it doesn't read: everything below the engines takes time
/// as an argument, so that tests can set it. Only net/clock.h reads clocks.
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

/// The time that an engine passes with each call: the instant for deadlines, and the wall clock for
/// Date. An engine reads it once per wake-up, not once per request.
struct Now {
    Instant instant;
    std::int64_t unix_seconds = 0;  // seconds since 1970-01-01T00:00:00Z
};

}  // namespace weir
