#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::upload {

/// Bytes of all files in the folders and below, links and uploads under way aside. It blocks.
/// `folders`: paths; one that lies in another counts once.
std::uint64_t bytes_in(const std::vector<std::string>& folders);

/// Bytes that may still be written where the open descriptor is; nothing known counts as much.
std::uint64_t bytes_free(int fd) noexcept;

}  // namespace weir::upload
