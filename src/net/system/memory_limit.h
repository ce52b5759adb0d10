#pragma once

#include <cstdint>

namespace weir::net {

/// How much memory this process may come to have, in bytes: what the machine has, or less where a
/// control group (memory.max and memory.high, or memory.limit_in_bytes) or RLIMIT_AS allows less.
std::uint64_t memory_limit();

}  // namespace weir::net
