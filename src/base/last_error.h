#pragma once

#include <cerrno>
#include <system_error>

namespace weir {

/// The error of this thread's last system call, which has failed.
inline std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

}  // namespace weir
