#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <system_error>

namespace weir::site {

/// Reads up to `size` bytes at `offset` of an open file into memory; fewer if the file ends there.
std::expected<std::size_t, std::error_code> read_at(int fd, std::uint64_t offset, char* into,
                                                    std::size_t size);
/// Reads up to `size` bytes from the start of an open file; fewer if the file is shorter.
std::expected<std::string, std::error_code> read_from_start(int fd, std::uint64_t size);

}  // namespace weir::site
