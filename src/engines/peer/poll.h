#pragma once

#include <poll.h>

#include <span>

namespace weir::engines {

/// poll(2) for a loop that calls it again and again: it never fails at once, so that no failure
/// makes the loop spin. Returns how many entries have events; -1 where that is not known, after a
/// signal or a failure.
///
/// poll(2) refuses a list that is longer than RLIMIT_NOFILE, which may be lowered at any time
/// (prlimit(2)). Then parts of the list are looked at, every few milliseconds.
/// `milliseconds`: -1 waits without a limit.
int poll(std::span<pollfd> watched, int milliseconds) noexcept;

}  // namespace weir::engines
