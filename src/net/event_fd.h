#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "net/unique_fd.h"

namespace weir::net {

/// An eventfd(2): wakes all threads that wait for its descriptor, in this process or in a process
/// that was forked from it.
class EventFd {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    EventFd() : fd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
        if (!fd_) throw std::system_error{errno, std::generic_category(), "eventfd"};
    }

    /// Any thread may call, any number of times; async-signal-safe.
    void signal() const noexcept {
        const int saved_errno = errno;
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(fd_.get(), &one, sizeof one);
        errno = saved_errno;
    }
    /// True if signal() was called since the last call of clear().
    bool clear() const noexcept {
        std::uint64_t count = 0;
        return ::read(fd_.get(), &count, sizeof count) == sizeof count;
    }
    int fd() const noexcept { return fd_.get(); }  // readable from signal() to clear()

   private:
    UniqueFd fd_;
};

}  // namespace weir::net
