#pragma once

#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "net/unique_fd.h"

namespace weir::tls {

/// A timerfd(2) of the wall clock: its descriptor is readable from a time on, in this process and
/// in the processes that were forked from it. If the clock is set, the timer follows it.
class WakeUp {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    WakeUp() : fd_{::timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK)} {
        if (!fd_) throw std::system_error{errno, std::generic_category(), "timerfd_create"};
    }

    /// Replaces the time that was set before. A time that has passed means "now", INT64_MAX
    /// "never". Any thread may call.
    void set(std::int64_t unix_seconds) const noexcept {
        const bool is_never = unix_seconds == INT64_MAX;
        const itimerspec once{.it_interval = {},
                              .it_value = {is_never ? 0 : unix_seconds, is_never ? 0 : 1}};
        ::timerfd_settime(fd_.get(), TFD_TIMER_ABSTIME, &once, nullptr);
    }
    void set_now() const noexcept { set(0); }
    /// True if the time had passed.
    bool clear() const noexcept {
        std::uint64_t count = 0;
        return ::read(fd_.get(), &count, sizeof count) == sizeof count;
    }
    int fd() const noexcept { return fd_.get(); }

   private:
    net::UniqueFd fd_;
};

}  // namespace weir::tls
