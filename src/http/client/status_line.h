#pragma once

#include <cstdint>
#include <string_view>

namespace weir::http::client {

/// The first line of a response (RFC 9112 4).
struct StatusLine {
    enum class Result : std::uint8_t { more, complete, malformed, unsupported_version, too_long };

    /// `bytes` begin with the head's first byte. After `complete`, `size` is that of the line with
    /// its end.
    static Result read(std::string_view bytes, std::uint32_t bytes_max, StatusLine& line) noexcept;

    std::uint8_t minor_version = 1;  // the x of HTTP/1.x: 0 to 9
    std::uint16_t code = 0;          // 100 to 599
    std::uint32_t size = 0;
};

}  // namespace weir::http::client
