#pragma once

#include <string>
#include <string_view>

namespace weir {

inline constexpr std::string_view hex_digits = "0123456789abcdef";
inline constexpr std::string_view upper_hex_digits = "0123456789ABCDEF";

/// Returns 0 to 15; -1 if `digit` is no hexadecimal digit.
constexpr int hex_value(char digit) noexcept {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

/// Appends two digits.
inline void append_hex_byte(std::string& out, unsigned char byte,
                            std::string_view digits = hex_digits) {
    out += digits[byte >> 4u];
    out += digits[byte & 0xfu];
}

/// Appends all bytes but those of `plain` as escapes such as "%C3" (RFC 3986 2.1).
inline void append_percent_encoded(std::string& out, std::string_view text,
                                   std::string_view plain) {
    for (const char c : text)
        if (plain.contains(c))
            out += c;
        else
            append_hex_byte(out += '%', static_cast<unsigned char>(c), upper_hex_digits);
}

}  // namespace weir
