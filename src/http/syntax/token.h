#pragma once

#include <algorithm>
#include <string_view>

#include "http/syntax/byte_class.h"

namespace weir::http {

/// RFC 9110 5.6.2
constexpr bool is_token(std::string_view text) noexcept {
    return !text.empty() && std::ranges::all_of(text, [](char byte) {
        return bytes::token.has_byte(static_cast<unsigned char>(byte));
    });
}

/// RFC 9110 5.5: no control characters. White space around the value does not count.
constexpr bool is_field_value(std::string_view text) noexcept {
    return std::ranges::none_of(text, [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    });
}

}  // namespace weir::http
