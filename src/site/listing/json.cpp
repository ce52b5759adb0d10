#include "site/listing/json.h"

#include <algorithm>

#include "base/hexadecimal.h"
#include "site/path/utf8.h"

namespace weir::site {
namespace {

void append_json_control(std::string& out, char c) {
    out += "\\u00";
    append_hex_byte(out, static_cast<unsigned char>(c));
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const std::size_t size = utf8_character_size(text);
        const auto c = static_cast<unsigned char>(text[0]);
        if (size == 0)
            out += "\xef\xbf\xbd";
        else if (c < 0x20)
            append_json_control(out, text[0]);
        else
            out.append(c == '"' || c == '\\' ? "\\" : "").append(text.substr(0, size));
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    out += '"';
}

}  // namespace weir::site
