#include "net/epoll.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace weir::net {

std::error_code Epoll::open() noexcept {
    fd_.reset(::epoll_create1(EPOLL_CLOEXEC));
    if (!fd_) return {errno, std::generic_category()};
    return {};
}

// Interrupted is as good as nothing yet: the caller has more to look at than descriptors.
std::span<const epoll_event> Epoll::wait(int milliseconds) noexcept {
    const int count =
        ::epoll_wait(fd_.get(), events_.data(), static_cast<int>(events_.size()), milliseconds);
    return {events_.data(), static_cast<std::size_t>(std::max(count, 0))};
}

bool Epoll::control(int operation, int fd, std::uint32_t events, std::uint64_t about) noexcept {
    epoll_event event{};
    event.events = events;
    event.data.u64 = about;
    return ::epoll_ctl(fd_.get(), operation, fd, &event) == 0;
}

}  // namespace weir::net
