#pragma once

#include <string>
#include <string_view>

namespace weir::dav {

/// Appends UTF-8 as text, or as the value of an attribute between double quotes (XML 1.0 2.4). Ends
/// of lines and tabs are escaped, too: in an attribute, they would be read as spaces.
inline void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\t': out += "&#9;"; break;
            case '\n': out += "&#10;"; break;
            case '\r': out += "&#13;"; break;
            default: out += c;
        }
}

/// Appends DAV:href.
inline void append_href(std::string& out, std::string_view reference) {
    out += "<D:href>";
    append_escaped(out, reference);
    out += "</D:href>";
}

}  // namespace weir::dav
