#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weir::tests {

/// Content that tells where it was cut, swapped or repeated: each byte follows from its offset, and
/// the period is a prime, so that no buffer's size divides it.
inline constexpr std::size_t pattern_period = 65'521;

/// Two periods of it: any stretch of up to one period lies in one piece.
std::string_view pattern_text();

std::string pattern(std::size_t offset, std::size_t size);
/// The bytes at `offset`, as many as lie in one piece, at most `size`.
std::string_view pattern_piece(std::size_t offset, std::size_t size);

/// Where `bytes`, found at `offset`, differs; nothing where it is right.
std::optional<std::size_t> first_difference(std::string_view bytes, std::size_t offset = 0);

}  // namespace weir::tests
