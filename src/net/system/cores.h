#pragma once

#include <sched.h>

#include <system_error>

namespace weir::net {

/// The number of cores that this process may use; at least 1. In a container or under taskset, the
/// machine can have more.
unsigned count_cores() noexcept;

/// The reason why threads can't be tied to cores here; no error if they can.
std::error_code check_pinning() noexcept;

/// Pins the calling thread to one core as long as the object exists: to core `n`, modulo their
/// number, of the cores that the thread may use. If the system refuses (see check_pinning(), or a
/// core was taken away since), nothing changes: the thread is slower, but works.
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
