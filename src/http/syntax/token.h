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

}  // namespace weir::http
