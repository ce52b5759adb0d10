#pragma once

#include <string>
#include <string_view>

namespace weir::server {

/// How to write a byte that could end a line or a quoted string, or that a terminal would
/// interpret: control characters, `"`, `\`, DEL, and all bytes that are not US-ASCII.
enum class Escape : unsigned char {
    hexadecimal,  // \x22
    /// \u0022: a byte becomes the character with that number. No byte is lost, and the text is
    /// valid for any bytes of a peer (json.loads(line)["target"].encode("latin-1")).
    json,
};

void append_escaped(std::string& out, std::string_view text, Escape escape);

}  // namespace weir::server
