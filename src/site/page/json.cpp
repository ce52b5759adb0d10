#include "site/page/json.h"

#include <algorithm>
#include <cstdint>

#include "base/hexadecimal.h"
#include "http/syntax/utf8.h"
#include "site/path/shown_name.h"

namespace weir::site {
namespace {

void append_unit(std::string& out, std::uint32_t unit) {
    out += "\\u";
    append_hex_byte(out, static_cast<unsigned char>(unit >> 8u));
    append_hex_byte(out, static_cast<unsigned char>(unit & 0xffu));
}

/// Appends the character as "\uXXXX"; beyond U+FFFF as two surrogates (RFC 8259 7).
void append_escape(std::string& out, char32_t character) {
    if (character <= 0xffff) return append_unit(out, character);
    const std::uint32_t rest = character - 0x10000;
    append_unit(out, 0xd800 + (rest >> 10u));
    append_unit(out, 0xdc00 + (rest & 0x3ffu));
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const std::size_t size = http::utf8_character_size(text);
        const char32_t character = first_character(text);
        if (size == 0)
            out += "\xef\xbf\xbd";
        else if (is_invisible(character))
            append_escape(out, character);
        else
            out.append(character == '"' || character == '\\' ? "\\" : "")
                .append(text.substr(0, size));
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    out += '"';
}

}  // namespace weir::site
