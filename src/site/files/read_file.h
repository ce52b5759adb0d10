#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <system_error>

namespace weir::site {

/// Reads up to `size` bytes from the start of an open file; fewer if the file is shorter.
std::expected<std::string, std::error_code> read_from_start(int fd, std::uint64_t size);

}  // namespace weir::site
