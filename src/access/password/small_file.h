#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <system_error>

#include "site/root/file_state.h"

namespace weir::access {

/// The content of a regular file. The error is std::errc::file_too_large if it has more bytes, and
/// std::errc::is_a_directory or std::errc::invalid_argument if it is not a regular file. Does not
/// wait for a FIFO.
std::expected<std::string, std::error_code> read_small_file(const std::string& path,
                                                            std::size_t bytes_max);

/// The same for a file that is open.
std::expected<std::string, std::error_code> read_small_file(int fd, std::size_t bytes_max);

/// True for an error of the machine, not of the file: a moment later, the file may be readable.
bool is_passing(const std::error_code& error) noexcept;

/// The state of the file at the path; without an inode if there is none.
site::FileState look_at(const std::string& path) noexcept;
/// A number for the state, not 0, that processes can share: it changes if the file is written to or
/// another one takes its place.
std::uint64_t mark_of(const site::FileState& state) noexcept;

}  // namespace weir::access
