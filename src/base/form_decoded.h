#pragma once

#include <string>
#include <string_view>

#include "base/hexadecimal.h"

namespace weir {

/// Decodes a name or a value of application/x-www-form-urlencoded: "+" is a space. A malformed
/// escape stands for itself, as browsers have it (URL Standard 5.1).
inline std::string form_decoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape = text[i] == '%' && text.size() - i >= 3 &&
                               hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
        if (is_escape) {
            out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

/// The value of a query that form_decoded() reads.
inline void append_form_encoded(std::string& out, std::string_view text) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (const char c : text)
        if (plain.contains(c))
            out += c;
        else
            append_hex_byte(out += '%', static_cast<unsigned char>(c), upper_hex_digits);
}

}  // namespace weir
