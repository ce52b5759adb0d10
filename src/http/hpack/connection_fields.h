#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace weir::http::http2 {

/// Compares by a few instructions, since the size of the text is known to the compiler.
template <std::size_t size>
bool is(std::string_view name, const char (&text)[size]) noexcept {
    return name.size() == size - 1 && std::memcmp(name.data(), text, size - 1) == 0;
}

/// True for the fields that concern the connection alone, in lower case (RFC 9113 8.2.2). HTTP/2 has
/// none of them.
inline bool is_of_connection(std::string_view name) noexcept {
    return is(name, "connection") || is(name, "proxy-connection") || is(name, "keep-alive") ||
           is(name, "transfer-encoding") || is(name, "upgrade");
}

}  // namespace weir::http::http2
