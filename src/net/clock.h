#pragma once

#include <chrono>
#include <cstdint>

#include "weir/base/now.h"

namespace weir::net {

/// Reads the clocks for an engine. Engines call read_clock() once per wake-up and pass the result
/// down.
///
/// The coarse clocks take 5 ns instead of 25, and never a system call, even on a virtual machine
/// where the precise clock needs one. They lag behind by at most a tick (1 to 10 ms), which doesn't
/// matter for deadlines of seconds: a thread that wakes up too early for a deadline checks it again
/// a tick later.
Now read_clock() noexcept;
/// The same without the time of day, for half of the cost.
Instant read_instant() noexcept;
/// From now on, both read instants of microseconds, for all threads: a server that tells how long
/// its requests took needs them.
void use_precise_instants() noexcept;

/// The time of day, in UTC.
struct WallTime {
    std::int64_t unix_seconds;
    std::uint32_t microseconds;  // of the second
};
WallTime read_wall_clock() noexcept;

/// The time since an arbitrary moment, in nanoseconds, to measure spans shorter than a tick.
std::chrono::nanoseconds precise_time() noexcept;

/// The timeout for poll(2) and epoll_wait(2): the milliseconds from `now` to `deadline`; 0 if the
/// deadline has passed, and -1 for `never`.
int wait_milliseconds(Instant deadline, Instant now) noexcept;

}  // namespace weir::net
