#pragma once

#include <string>
#include <string_view>

#include "base/hexadecimal.h"

namespace weir::web {

/// Appends a JSON string with its quotes. `text` is UTF-8.
inline void append_json(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20) {
            out += "\\u00";
            append_hex_byte(out, static_cast<unsigned char>(c));
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    out += '"';
}

}  // namespace weir::web
