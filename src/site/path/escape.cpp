#include "site/path/escape.h"

#include <algorithm>

#include "site/path/utf8.h"

namespace weir::site {

void append_html(std::string& out, std::string_view text) {
    for (const char c : text) switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
}

namespace {

void append_json_control(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\u00";
    out += digits[static_cast<unsigned char>(c) >> 4u];
    out += digits[static_cast<unsigned char>(c) & 0xfu];
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
