#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <span>
#include <system_error>

#include "net/unique_fd.h"
#include "net/waiting/busy_poll.h"

namespace weir::net {

/// epoll(7). `events` is a set of EPOLL flags; `about` comes back with each event of that
/// descriptor. Closing a descriptor ends its watch.
class Epoll {
   public:
    /// `busy_poll`: the time for which wait() polls before it sleeps, if that pays; zero: not at
    /// all.
    explicit Epoll(std::chrono::microseconds busy_poll = {}) noexcept : busy_poll_{busy_poll} {}

    /// Call it before all other functions.
    std::error_code open() noexcept;

    /// False if the kernel has no memory for the watch, or no watch left
    /// (fs.epoll.max_user_watches).
    bool add(int fd, std::uint32_t events, std::uint64_t about) noexcept {
        return control(EPOLL_CTL_ADD, fd, events, about);
    }
    bool modify(int fd, std::uint32_t events, std::uint64_t about) noexcept {
        return control(EPOLL_CTL_MOD, fd, events, about);
    }
    void remove(int fd) noexcept { control(EPOLL_CTL_DEL, fd, 0, 0); }

    /// This descriptor is readable while there are events: another poll or epoll may wait for it.
    int fd() const noexcept { return fd_.get(); }

    /// Returns a limited number of events, so that the time between two readings of the clock is
    /// bounded. The events are valid until the next call. `milliseconds`: -1 waits without a limit.
    std::span<const epoll_event> wait(int milliseconds) noexcept;

   private:
    std::span<const epoll_event> look(int milliseconds) noexcept;
    [[gnu::cold]] std::span<const epoll_event> look_after_failure(int milliseconds) noexcept;
    std::span<const epoll_event> look_busily() noexcept;
    bool control(int operation, int fd, std::uint32_t events, std::uint64_t about) noexcept;

    UniqueFd fd_;
    BusyPoll busy_poll_;
    std::array<epoll_event, 256> events_;
};

}  // namespace weir::net
