#pragma once

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::tests {

/// What a descriptor is of, in the order of DESCRIPTORS in calls.py.
inline std::uint32_t kind_of_descriptor(std::uint32_t process, std::uint64_t fd) {
    constexpr std::array<std::string_view, 7> beginnings{
        "socket:", "pipe:", "anon_inode:[eventfd", "anon_inode:inotify", "anon_inode:",
        "/dev/",   "/"};
    std::array<char, 64> target{};
    const std::string link = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(fd);
    const auto size = ::readlink(link.c_str(), target.data(), target.size());
    const std::string_view text{target.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
    for (std::uint32_t i = 0; i < beginnings.size(); ++i)
        if (text.starts_with(beginnings[i])) return i + 1;
    return 0;
}

/// Some calls are several: what a write may fail with depends on what it is written to.
inline std::uint32_t variant_of(const seccomp_notif& asked) {
    const auto* const arguments = asked.data.args;
    switch (asked.data.nr) {
        case SYS_read:
        case SYS_readv:
        case SYS_write:
        case SYS_writev: return kind_of_descriptor(asked.pid, arguments[0]);
        case SYS_epoll_ctl:
        case SYS_io_uring_register: return static_cast<std::uint32_t>(arguments[1]) % 32;
        case SYS_fcntl: return arguments[1] == F_DUPFD_CLOEXEC ? 1 : 0;
        case SYS_ioctl: return arguments[1] == FIONBIO ? 1 : 0;
        default: return 0;
    }
}

}  // namespace weir::tests
