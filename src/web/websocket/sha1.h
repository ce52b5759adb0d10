#pragma once

#include <string>
#include <string_view>

namespace weir::web::ws {

/// SHA-1 (RFC 3174), 20 bytes. It protects nothing: the handshake uses it to show that the server
/// knows the protocol (RFC 6455 1.3).
std::string sha1(std::string_view bytes);

}  // namespace weir::web::ws
