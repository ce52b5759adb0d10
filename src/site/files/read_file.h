#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <system_error>

namespace weir::site {

/// Up to `size` bytes of an open file; fewer where it ends before.
std::expected<std::string, std::error_code> read_from_start(int fd, std::uint64_t size);

}  // namespace weir::site
