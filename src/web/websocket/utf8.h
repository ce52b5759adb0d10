#pragma once

#include <cstdint>
#include <string_view>

namespace weir::web::ws {

/// Whether bytes are UTF-8 (RFC 3629), in pieces of any size: no overlong forms, no surrogates, nothing
/// past U+10FFFF.
class Utf8 {
   public:
    /// False as soon as no bytes that follow could make it UTF-8.
    bool take(std::string_view bytes) noexcept;
    /// No character is cut.
    bool is_whole() const noexcept { return due_ == 0; }

   private:
    bool begin(unsigned char byte) noexcept;

    std::uint8_t due_ = 0;     // bytes of a character
    std::uint8_t low_ = 0x80;  // what the next of them may be
    std::uint8_t high_ = 0xbf;
};

inline bool is_utf8(std::string_view bytes) noexcept {
    Utf8 text;
    return text.take(bytes) && text.is_whole();
}

}  // namespace weir::web::ws
