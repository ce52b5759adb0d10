#pragma once

#include <cerrno>

namespace weir::net {

/// Repeats a system call as long as signals interrupt it. That takes no handler: where a socket has a
/// limit on its waits (SO_RCVTIMEO), a process that was stopped and goes on, after Ctrl-Z or in a frozen
/// cgroup, gets EINTR, too (signal(7), "Interruption of system calls"). The limit begins anew.
template <typename Call>
auto uninterrupted(Call call) noexcept(noexcept(call())) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

}  // namespace weir::net
