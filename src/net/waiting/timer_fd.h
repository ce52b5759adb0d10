#pragma once

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <system_error>

#include "net/unique_fd.h"

namespace weir::net {

/// A timerfd(2): its descriptor becomes readable once a time has passed, in this process and in the
/// processes that were forked from it.
class TimerFd {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    TimerFd() : fd_{::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)} {
        if (!fd_) throw std::system_error{errno, std::generic_category(), "timerfd_create"};
    }

    /// Replaces the time that was set before. Any thread may call; async-signal-safe.
    void set(std::chrono::milliseconds from_now) const noexcept {
        const int saved_errno = errno;
        const auto time = std::max(std::chrono::nanoseconds{from_now}, std::chrono::nanoseconds{1});
        const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
        const itimerspec once{.it_interval = {},
                              .it_value = {seconds.count(), (time - seconds).count()}};
        ::timerfd_settime(fd_.get(), 0, &once, nullptr);
        errno = saved_errno;
    }
    /// True if the time had passed.
    bool clear() const noexcept {
        std::uint64_t count = 0;
        return ::read(fd_.get(), &count, sizeof count) == sizeof count;
    }
    int fd() const noexcept { return fd_.get(); }

   private:
    UniqueFd fd_;
};

}  // namespace weir::net
