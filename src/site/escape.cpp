#include "site/escape.h"

#include <algorithm>

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

bool in(unsigned char byte, unsigned low, unsigned high) { return byte >= low && byte <= high; }

/// The length of the character that `text` begins with, by the table of well-formed sequences
/// (Unicode 3.9, table 3-7); 0 where there is none.
std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at])
                                : static_cast<unsigned char>(0);
    };
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
        const std::size_t size = character_size(text);
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
