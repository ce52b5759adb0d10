#pragma once

#include <sched.h>

#include <system_error>

namespace weir::net {

/// The number of cores that this process may use; at least 1. In a container or under taskset it
/// can be smaller than the machine's.
unsigned count_cores() noexcept;

/// The reason why threads can't be tied to cores here; no error if they can.
std::error_code check_pinning() noexcept;

/// As long as the object exists, the calling thread runs on one core alone: the n-th of those that
/// it may use, starting again from the first past the last. If the system refuses (see
/// check_pinning(), or a core was taken away since), nothing changes: that is slower, but not
/// wrong.
class PinnedToCore {
   public:
    /// Does nothing if `wanted` is false.
    PinnedToCore(bool wanted, unsigned n) noexcept;
    ~PinnedToCore();
    PinnedToCore(const PinnedToCore&) = delete;
    PinnedToCore& operator=(const PinnedToCore&) = delete;

   private:
    cpu_set_t before_;
    bool pinned_ = false;
};

}  // namespace weir::net
