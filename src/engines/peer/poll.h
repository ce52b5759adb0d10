#pragma once

#include <poll.h>

#include <span>

namespace weir::engines {

/// poll(2) for a loop that calls it again and again: a failure does not return at once, so that it
/// can't make the loop spin. Returns the number of entries that have events; -1 if that is not
/// known, after a signal or a failure.
///
/// poll(2) refuses a list that is longer than RLIMIT_NOFILE, which may be lowered at any time
/// (prlimit(2)). Then this function checks the list in parts, every few milliseconds.
/// `milliseconds`: -1 waits without a limit.
int poll(std::span<pollfd> watched, int milliseconds) noexcept;

/// After a failed wait of at most `milliseconds` (-1: without a limit): pauses, so that the loop
/// does not spin.
void pause_after_failure(int milliseconds) noexcept;

}  // namespace weir::engines
