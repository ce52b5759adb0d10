#include "site/path/shown_name.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/hexadecimal.h"
#include "http/syntax/utf8.h"

namespace weir::site {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

/// Cc, Zl, Zp and Default_Ignorable_Code_Point of Unicode 15, annotations, the blank of Braille,
/// and noncharacters.
constexpr std::array<Range, 23> invisible = {{
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x034f, 0x034f},
    {0x061c, 0x061c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
    {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0x2800, 0x2800},
    {0x3164, 0x3164},   {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x13430, 0x1343f},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
}};

bool is_selector(char32_t character) noexcept { return character >= 0xfe00 && character <= 0xfe0f; }
bool is_joiner(char32_t character) noexcept { return character == 0x200c || character == 0x200d; }

bool is_visible_start(std::string_view text) noexcept {
    if (http::utf8_character_size(text) < 2) return false;  // no ASCII character is joined
    return !is_invisible(first_character(text));
}

/// True for an invisible character that an emoji or a script such as Persian's needs: it stands
/// between visible characters, and not next to ASCII. `previous`: the character that is shown
/// before it.
bool belongs(char32_t character, char32_t previous, std::string_view rest) noexcept {
    if (previous < 0x80 || is_joiner(previous)) return false;
    if (is_selector(character)) return !is_selector(previous);
    return is_joiner(character) && is_visible_start(rest);
}

void append_byte(std::string& out, unsigned char byte) {
    out += "\\x";
    append_hex_byte(out, byte, upper_hex_digits);
}

void append_escape(std::string& out, char32_t character) {
    if (character < 0x80) return append_byte(out, static_cast<unsigned char>(character));
    out += "\\u{";
    bool has_begun = false;
    for (int shift = 20; shift >= 0; shift -= 4) {
        const unsigned digit = character >> static_cast<unsigned>(shift) & 0xfu;
        has_begun = has_begun || digit != 0;
        if (has_begun) out += upper_hex_digits[digit];
    }
    out += '}';
}

}  // namespace

bool is_invisible(char32_t character) noexcept {
    if (character >= 0x20 && character < 0x7f) return false;
    return std::ranges::any_of(invisible, [=](const Range& range) {
        return character >= range.first && character <= range.last;
    });
}

char32_t first_character(std::string_view text) noexcept {
    const std::size_t size = http::utf8_character_size(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (size < 2) return first;
    char32_t character = first & (0x7fu >> size);
    for (std::size_t i = 1; i < size; ++i)
        character = character << 6u | (static_cast<unsigned char>(text[i]) & 0x3fu);
    return character;
}

std::string shown_name(std::string_view name) {
    std::string shown;
    char32_t previous = 0;  // 0: none, or an escaped one
    while (!name.empty()) {
        const std::size_t size = http::utf8_character_size(name);
        const std::string_view bytes = name.substr(0, std::max<std::size_t>(size, 1));
        const char32_t character = first_character(bytes);
        name.remove_prefix(bytes.size());
        const bool stays =
            size != 0 && (!is_invisible(character) || belongs(character, previous, name));
        if (stays)
            shown.append(bytes);
        else if (size == 0)
            append_byte(shown, static_cast<unsigned char>(bytes[0]));
        else
            append_escape(shown, character);
        previous = stays ? character : 0;
    }
    return shown;
}

}  // namespace weir::site
