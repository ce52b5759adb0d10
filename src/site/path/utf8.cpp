#include "site/path/utf8.h"

#include <array>

namespace weir::site {

namespace {

bool in(unsigned char byte, unsigned low, unsigned high) noexcept {
    return byte >= low && byte <= high;
}

constexpr std::size_t character_bytes_max = 4;

}  // namespace

// Follows the table of well-formed byte sequences (Unicode 3.9, table 3-7).
std::size_t utf8_character_size(std::string_view text) noexcept {
    const auto byte = [&](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at])
                                : static_cast<unsigned char>(0);
    };
    if (text.empty()) return 0;
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    if (in(first, 0xc2, 0xdf)) return in(byte(1), 0x80, 0xbf) ? 2 : 0;
    if (in(first, 0xe0, 0xef)) {
        const unsigned low = first == 0xe0 ? 0xa0 : 0x80;   // no overlong form
        const unsigned high = first == 0xed ? 0x9f : 0xbf;  // no surrogate
        return in(byte(1), low, high) && in(byte(2), 0x80, 0xbf) ? 3 : 0;
    }
    if (in(first, 0xf0, 0xf4)) {
        const unsigned low = first == 0xf0 ? 0x90 : 0x80;
        const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
        const bool rest = in(byte(2), 0x80, 0xbf) && in(byte(3), 0x80, 0xbf);
        return in(byte(1), low, high) && rest ? 4 : 0;
    }
    return 0;
}

namespace {

/// True if more bytes could complete this character.
bool begins_character(std::string_view text) noexcept {
    std::array<char, character_bytes_max> whole{};
    whole.fill('\x80');
    if (text[0] == '\xe0') whole[1] = '\xa0';  // the smallest second byte
    if (text[0] == '\xf0') whole[1] = '\x90';
    text.copy(whole.data(), whole.size());
    return utf8_character_size({whole.data(), whole.size()}) > text.size();
}

}  // namespace

bool is_utf8(std::string_view text, bool cut) noexcept {
    while (!text.empty()) {
        const std::size_t size = utf8_character_size(text);
        if (size == 0) return cut && begins_character(text);
        text.remove_prefix(size);
    }
    return true;
}

}  // namespace weir::site
