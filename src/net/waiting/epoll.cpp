#include "net/waiting/epoll.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "base/last_error.h"
#include "net/clock.h"

namespace weir::net {

std::error_code Epoll::open() noexcept {
    fd_.reset(::epoll_create1(EPOLL_CLOEXEC));
    if (!fd_) return last_error();
    return {};
}

std::span<const epoll_event> Epoll::wait(int milliseconds) noexcept {
    if (!busy_poll_.is_on() || milliseconds == 0) return look(milliseconds);
    if (const auto events = look_busily(); !events.empty()) return events;
    const auto began = precise_time();
    const auto events = look(milliseconds);
    busy_poll_.slept(precise_time() - began);
    return events;
}

/// Looks for events once, and again only if busy polling pays.
std::span<const epoll_event> Epoll::look_busily() noexcept {
    if (const auto events = look(0); !events.empty() || !busy_poll_.pays()) return events;
    const auto until = precise_time() + busy_poll_.longest();
    do {
        if (const auto events = look(0); !events.empty()) {
            busy_poll_.succeeded();
            return events;
        }
    } while (precise_time() < until);
    busy_poll_.was_in_vain();
    return {};
}

std::span<const epoll_event> Epoll::look(int milliseconds) noexcept {
    const int count =
        ::epoll_wait(fd_.get(), events_.data(), static_cast<int>(events_.size()), milliseconds);
    if (count < 0) [[unlikely]]
        return look_after_failure(milliseconds);
    return {events_.data(), static_cast<std::size_t>(count)};
}

// An interrupted wait is not repeated, because the caller also checks other things than
// descriptors. But the process may have been stopped (signal(7)) until deadlines passed: events of
// that time must come before them.
std::span<const epoll_event> Epoll::look_after_failure(int milliseconds) noexcept {
    if (errno == EINTR && milliseconds != 0) return look(0);
    return {};
}

bool Epoll::control(int operation, int fd, std::uint32_t events, std::uint64_t about) noexcept {
    epoll_event event{};
    event.events = events;
    event.data.u64 = about;
    return ::epoll_ctl(fd_.get(), operation, fd, &event) == 0;
}

}  // namespace weir::net
