#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

/// Parts without padding. `last_two` has the characters for 62 and 63.
namespace base64 {

inline constexpr std::string_view last = "+/";
inline constexpr std::string_view last_of_url = "-_";

inline char letter_of(std::uint32_t value, std::string_view last_two) noexcept {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    return value < letters.size() ? letters[value] : last_two[value - letters.size()];
}

/// -1 for a character that has no value.
inline int value_of(char c, std::string_view last_two) noexcept {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == last_two[0]) return 62;
    return c == last_two[1] ? 63 : -1;
}

inline std::string encoded(std::string_view bytes, std::string_view last_two) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(bytes.size(), 3))) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = bits << 8U | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
        for (std::size_t i = 0; i <= std::min<std::size_t>(bytes.size(), 3); ++i)
            out += letter_of(bits >> (18 - 6 * i) & 0x3fU, last_two);
    }
    return out;
}

inline std::optional<std::string> decoded(std::string_view text, std::string_view last_two) {
    std::string out;
    out.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const int value = value_of(c, last_two);
        if (value < 0) return std::nullopt;
        bits = bits << 6U | static_cast<std::uint32_t>(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xffU);
    }
    // The last character must have no bits beyond the last byte (RFC 4648 3.5), and one character
    // alone makes no byte.
    const std::uint32_t rest = bits & ((1U << static_cast<unsigned>(count)) - 1);
    if (rest != 0 || count == 6) return std::nullopt;
    return out;
}

}  // namespace base64

/// RFC 4648 4, with padding.
inline std::string base64_encoded(std::string_view bytes) {
    std::string out = base64::encoded(bytes, base64::last);
    while (out.size() % 4 != 0) out += '=';
    return out;
}

/// RFC 4648 4, strictly: with padding, and no other characters. Null if the text is malformed.
inline std::optional<std::string> base64_decoded(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
    return base64::decoded(text, base64::last);
}

/// RFC 4648 5, without padding: for URLs and cookies.
inline std::string base64url_encoded(std::string_view bytes) {
    return base64::encoded(bytes, base64::last_of_url);
}

/// RFC 4648 5, strictly: without padding. Null if the text is malformed.
inline std::optional<std::string> base64url_decoded(std::string_view text) {
    return base64::decoded(text, base64::last_of_url);
}

}  // namespace weir
