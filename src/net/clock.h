#pragma once

#include <chrono>

#include "base/now.h"

namespace weir::net {

/// The one place that reads clocks. Engines call it once per wake-up and hand the result down.
///
/// The coarse clocks are read: 5 ns instead of 25, and never a system call, not even on a virtual
/// machine whose precise clock needs one. They lag behind by a tick at most (1 to 10 ms), which
/// deadlines of seconds don't notice: one that is found too early is looked at again a tick later.
Now read_clock() noexcept;

/// Since some moment in the past, to the nanosecond: for spans that are shorter than a tick.
std::chrono::nanoseconds precise_time() noexcept;

/// What to tell poll(2) and epoll_wait(2): the milliseconds from `now` to `deadline`, 0 where it
/// has passed, -1 for `never`.
int wait_milliseconds(Instant deadline, Instant now) noexcept;

}  // namespace weir::net
