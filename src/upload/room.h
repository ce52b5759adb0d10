#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::upload {

/// Bytes of all files in the folders and below, without links and unfinished uploads. Blocks.
/// `folders`: paths; a folder inside another one counts once.
std::uint64_t bytes_in(const std::vector<std::string>& folders);

/// Bytes that may still be written to the descriptor's file system; the maximum if that is unknown.
std::uint64_t bytes_free(int fd) noexcept;

}  // namespace weir::upload
