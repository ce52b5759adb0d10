#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::http {

/// Checks that bytes, in pieces of any size, are UTF-8 (RFC 3629): no overlong forms, no
/// surrogates, nothing past U+10FFFF.
class Utf8 {
   public:
    /// False as soon as no later bytes could make the text UTF-8.
    bool take(std::string_view bytes) noexcept;
    /// True if the last character is complete.
    bool is_whole() const noexcept { return due_ == 0; }

   private:
    bool begin(unsigned char byte) noexcept;

    std::uint8_t due_ = 0;     // bytes that the current character still needs
    std::uint8_t low_ = 0x80;  // range of the next of these bytes
    std::uint8_t high_ = 0xbf;
};

/// `cut`: `bytes` are the beginning of a longer text, so the last character may be incomplete.
inline bool is_utf8(std::string_view bytes, bool cut = false) noexcept {
    Utf8 text;
    return text.take(bytes) && (cut || text.is_whole());
}

/// The length in bytes of the first character of `text`; 0 if it is not well-formed.
inline std::size_t utf8_character_size(std::string_view text) noexcept {
    if (!text.empty() && static_cast<unsigned char>(text.front()) < 0x80) return 1;
    Utf8 character;
    for (std::size_t size = 1; size <= text.size(); ++size) {
        if (!character.take(text.substr(size - 1, 1))) return 0;
        if (character.is_whole()) return size;
    }
    return 0;
}

/// Returns the text with U+FFFD for each byte that is not UTF-8. Throws std::bad_alloc.
std::string as_utf8(std::string_view text);

}  // namespace weir::http
