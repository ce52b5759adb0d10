#pragma once

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "net/unique_fd.h"

namespace weir::tests {

/// In place of an errno: the call moves one byte, and says so.
constexpr std::uint32_t short_transfer = 4096;

/// The process of a thread (proc(5)).
inline pid_t process_of(std::uint32_t thread) {
    std::ifstream status{"/proc/" + std::to_string(thread) + "/status"};
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("Tgid:")) return std::stoi(line.substr(5));
    return -1;
}

/// Moves one byte of a read(2), pread(2) or write(2) on behalf of the thread that asked for more.
/// What the call would have returned: 1, or 0 at the end; -1 where it has to be made as it is.
inline std::int64_t move_one_byte(const seccomp_notif& asked) {
    const pid_t process = process_of(asked.pid);
    const net::UniqueFd handle{static_cast<int>(::syscall(SYS_pidfd_open, process, 0))};
    const net::UniqueFd fd{
        static_cast<int>(::syscall(SYS_pidfd_getfd, handle.get(), asked.data.args[0], 0))};
    char byte = 0;
    const iovec here{&byte, 1};
    const iovec there{reinterpret_cast<void*>(asked.data.args[1]), 1};
    if (!fd || asked.data.args[2] < 2) return -1;
    if (asked.data.nr == SYS_write) {
        if (::process_vm_readv(process, &here, 1, &there, 1, 0) != 1) return -1;
        return ::write(fd.get(), &byte, 1);
    }
    const auto got = asked.data.nr == SYS_pread64
                         ? ::pread(fd.get(), &byte, 1, static_cast<off_t>(asked.data.args[3]))
                         : ::read(fd.get(), &byte, 1);
    if (got == 1 && ::process_vm_writev(process, &here, 1, &there, 1, 0) != 1) return -1;
    return got;
}

}  // namespace weir::tests
