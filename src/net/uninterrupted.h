#pragma once

#include <cerrno>

namespace weir::net {

/// Repeats a system call as long as signals interrupt it. This happens even without a signal
/// handler: if a socket has a limit on its waits (SO_RCVTIMEO), a process that was stopped and
/// continues, after Ctrl-Z or in a frozen cgroup, gets EINTR, too (signal(7), "Interruption of
/// system calls"). The limit then starts again.
template <typename Call>
auto uninterrupted(Call call) noexcept(noexcept(call())) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

}  // namespace weir::net
