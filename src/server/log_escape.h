#pragma once

#include <string>
#include <string_view>

namespace weir::server {

/// How a byte is written that could end a line or a quoted string, or that a terminal would obey:
/// control characters, `"`, `\`, DEL and whatever is not US-ASCII.
enum class Escape : unsigned char {
    hexadecimal,  // \x22
    json,         // \u0022: a byte is the character of that number, so that no byte is lost and the
    // text is valid whatever a peer sent (json.loads(line)["target"].encode("latin-1"))
};

void append_escaped(std::string& out, std::string_view text, Escape escape);

}  // namespace weir::server
