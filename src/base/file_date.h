#pragma once

#include <cstdint>

namespace weir {

/// False if the time of a file's modification says nothing about it: tools for reproducible builds
/// set 0 or 1 (SOURCE_DATE_EPOCH, Nix). HTTP dates before 1970 are not portable.
constexpr bool is_date_of_file(std::int64_t unix_seconds) noexcept { return unix_seconds > 1; }

}  // namespace weir
