#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "net/unique_fd.h"

namespace weir::net {

/// Wakes whoever waits for its descriptor, in this process or in one that was forked from it.
class Bell {
   public:
    /// Throws std::system_error where the system has no descriptor left.
    Bell() : eventfd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
        if (!eventfd_) throw std::system_error{errno, std::generic_category(), "eventfd"};
    }

    /// Any thread, any number of times; async-signal-safe.
    void ring() const noexcept {
        const int saved_errno = errno;
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(eventfd_.get(), &one, sizeof one);
        errno = saved_errno;
    }
    /// True where it was rung since the last time.
    bool answer() const noexcept {
        std::uint64_t count = 0;
        return ::read(eventfd_.get(), &count, sizeof count) == sizeof count;
    }
    int fd() const noexcept { return eventfd_.get(); }  // readable until it is answered

   private:
    UniqueFd eventfd_;
};

}  // namespace weir::net
