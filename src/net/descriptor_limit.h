#pragma once

#include <cstdint>

namespace weir::net {

/// Raises this process's soft limit on open descriptors (RLIMIT_NOFILE) to the hard limit, and
/// returns the limit in force. Most systems start programs with a soft limit of 1,024 for the sake
/// of those that use select(2). systemd.exec(5) advises other programs to raise it.
std::uint32_t raise_descriptor_limit() noexcept;

/// The soft limit in force.
std::uint32_t descriptor_limit() noexcept;

}  // namespace weir::net
