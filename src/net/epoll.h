#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <span>
#include <system_error>

#include "net/busy_poll.h"
#include "net/unique_fd.h"

namespace weir::net {

/// epoll(7). A descriptor is watched for a set of EPOLL flags; `about` comes back with each event. A
/// descriptor that is closed is no longer watched.
class Epoll {
   public:
    /// `busy_poll`: how long wait() looks before it sleeps, where that pays; zero: not at all.
    explicit Epoll(std::chrono::microseconds busy_poll = {}) noexcept : busy_poll_{busy_poll} {}

    /// Comes before all other calls.
    std::error_code open() noexcept;

    /// False where the kernel has no memory for it, or no watches left (fs.epoll.max_user_watches).
    bool add(int fd, std::uint32_t events, std::uint64_t about) noexcept {
        return control(EPOLL_CTL_ADD, fd, events, about);
    }
    bool modify(int fd, std::uint32_t events, std::uint64_t about) noexcept {
        return control(EPOLL_CTL_MOD, fd, events, about);
    }
    void remove(int fd) noexcept { control(EPOLL_CTL_DEL, fd, 0, 0); }

    /// Readable, for whoever waits for it along with others, while there are events.
    int fd() const noexcept { return fd_.get(); }

    /// The events are there until the next call. Their number is limited, so that the loop looks at
    /// the clock often enough. `milliseconds`: -1 to wait for as long as it takes.
    std::span<const epoll_event> wait(int milliseconds) noexcept;

   private:
    std::span<const epoll_event> look(int milliseconds) noexcept;
    std::span<const epoll_event> look_busily() noexcept;
    bool control(int operation, int fd, std::uint32_t events, std::uint64_t about) noexcept;

    UniqueFd fd_;
    BusyPoll busy_poll_;
    std::array<epoll_event, 256> events_;
};

}  // namespace weir::net
