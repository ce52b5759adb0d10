#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weir::web::ws {

/// The key of a masked frame (RFC 6455 5.3), rotated by the number of payload bytes that were read.
class Mask {
   public:
    Mask() = default;
    explicit Mask(std::array<char, 4> key) noexcept : key_{key} {}

    /// Copies and unmasks `size` bytes. `to` may be `from`.
    void apply(char* to, const char* from, std::size_t size) noexcept {
        std::array<char, 8> twice;
        std::ranges::copy(key_, twice.begin());
        std::ranges::copy(key_, twice.begin() + 4);
        std::uint64_t word_key = 0;
        std::memcpy(&word_key, twice.data(), sizeof word_key);
        std::size_t at = 0;
        for (; at + sizeof word_key <= size; at += sizeof word_key) {
            std::uint64_t word = 0;
            std::memcpy(&word, from + at, sizeof word);
            word ^= word_key;
            std::memcpy(to + at, &word, sizeof word);
        }
        for (; at < size; ++at) to[at] = static_cast<char>(from[at] ^ twice[at % 4]);
        std::ranges::rotate(key_, key_.begin() + static_cast<std::ptrdiff_t>(size % 4));
    }

   private:
    std::array<char, 4> key_{};
};

}  // namespace weir::web::ws
