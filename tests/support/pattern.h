#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weir::tests {

/// Test content that shows where it was cut, swapped or repeated: each byte depends on its offset.
/// The period is a prime, so that no buffer size is a multiple of it.
inline constexpr std::size_t pattern_period = 65'521;

/// Two periods of the pattern: any part of up to one period is contiguous in it.
std::string_view pattern_text();

std::string pattern(std::size_t offset, std::size_t size);
/// The contiguous bytes at `offset`, at most `size`.
std::string_view pattern_piece(std::size_t offset, std::size_t size);

/// The position in `bytes` of the first byte that differs from the pattern at `offset`; nothing if
/// all are right.
std::optional<std::size_t> first_difference(std::string_view bytes, std::size_t offset = 0);

}  // namespace weir::tests
