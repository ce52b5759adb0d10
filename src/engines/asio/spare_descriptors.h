#pragma once

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "net/unique_fd.h"

namespace weir::engines {

/// Returns `hint`, the argument for an io_context. Throws std::system_error (EMFILE) if there are
/// fewer descriptors than the io_context opens. Without them, Asio would try older calls, which a
/// sandbox forbids, and would report another error.
inline int with_descriptors(int hint) {
    std::array<net::UniqueFd, 3> opened;  // epoll(7), eventfd(2), timerfd(2)
    for (net::UniqueFd& fd : opened) {
        fd.reset(::fcntl(0, F_DUPFD_CLOEXEC, 0));
        if (!fd && errno == EMFILE)
            throw std::system_error{errno, std::generic_category(), "fcntl"};
    }
    return hint;
}

}  // namespace weir::engines
