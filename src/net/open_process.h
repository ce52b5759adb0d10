#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "net/unique_fd.h"

namespace weir::net {

/// A descriptor of a process, readable once the process has ended (pidfd_open(2)). Empty: errno says
/// why. Calls by number, because glibc 2.36 declares the function for C alone.
inline UniqueFd open_process(pid_t pid) noexcept {
    return UniqueFd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
}

}  // namespace weir::net
