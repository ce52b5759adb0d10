#pragma once

#include <sched.h>

#include <system_error>

namespace weir::net {

/// The cores that this process may use, at least one: fewer than the machine has, in a container or
/// under taskset.
unsigned count_cores() noexcept;

/// Why threads cannot be tied to cores here; no error where they can.
std::error_code check_pinning() noexcept;

/// While it lives, the calling thread runs on one core and no other: the n-th of those it may use,
/// counted round. Where the system refuses (see check_pinning(), or a core was taken away since),
/// the thread stays as it was: that is slower, not wrong.
class PinnedToCore {
   public:
    /// Does nothing unless `wanted`.
    PinnedToCore(bool wanted, unsigned n) noexcept;
    ~PinnedToCore();
    PinnedToCore(const PinnedToCore&) = delete;
    PinnedToCore& operator=(const PinnedToCore&) = delete;

   private:
    cpu_set_t before_;
    bool pinned_ = false;
};

}  // namespace weir::net
