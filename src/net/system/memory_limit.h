#pragma once

#include <cstdint>

namespace weir::net {

/// The largest memory that this process can have, in bytes: the memory of the machine, or less if a
/// control group (memory.max and memory.high, or memory.limit_in_bytes) or RLIMIT_AS allows less.
std::uint64_t memory_limit();

}  // namespace weir::net
