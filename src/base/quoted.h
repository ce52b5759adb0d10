#pragma once

#include <string>
#include <string_view>

#include "base/hexadecimal.h"

namespace weir {

/// Appends a string with its quotes, as JSON (RFC 8259 7) and TOML have it. `text` is UTF-8.
inline void append_quoted(std::string& out, std::string_view text) {
    constexpr unsigned char del = 0x7f;
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < ' ' || byte == del) {
            append_hex_byte(out += "\\u00", byte);
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    out += '"';
}

}  // namespace weir
