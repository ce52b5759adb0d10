#pragma once

#include <cstdint>

namespace weir::net {

/// Raises this process's limit on open descriptors (RLIMIT_NOFILE) as far as it may, and returns
/// what it is then. The low soft limit that most systems start with, 1,024, is there for programs
/// that use select(2); see systemd's and the kernel's advice to raise it where one doesn't.
std::uint32_t raise_descriptor_limit() noexcept;

}  // namespace weir::net
