#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <system_error>

namespace weir::access {

/// The content of a regular file. The error is std::errc::file_too_large if it has more bytes, and
/// std::errc::is_a_directory or std::errc::invalid_argument if it is not a regular file. Does not
/// wait for a FIFO.
std::expected<std::string, std::error_code> read_small_file(const std::string& path,
                                                            std::size_t bytes_max);

/// What changes if a file is written to or another takes its place.
struct FileMark {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    timespec modified{};
    timespec changed{};

    /// Of no file if there is none.
    static FileMark of(const std::string& path) noexcept;
    bool operator==(const FileMark& other) const noexcept;
    /// Not 0.
    std::uint64_t hash() const noexcept;
};

}  // namespace weir::access
