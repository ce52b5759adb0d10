#pragma once

#include <cstddef>
#include <string_view>

namespace weir::http::hpack {

/// The largest size of the text for a code of `code_bytes`: the shortest codes have 5 bits.
constexpr std::size_t huffman_bytes_max(std::size_t code_bytes) noexcept {
    return code_bytes * 8 / 5;
}

/// Decodes a string (RFC 7541 5.2) to `to`, which has memory for huffman_bytes_max() + 1 bytes.
/// Returns the end of the text, or null if the code is malformed: it contains the end-of-string
/// symbol, or its padding is too long or not of ones.
char* decode_huffman(std::string_view code, char* to) noexcept;

}  // namespace weir::http::hpack
