#pragma once

#include <cerrno>
#include <system_error>

namespace weir {

/// Why the last system call of this thread failed.
inline std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

}  // namespace weir
