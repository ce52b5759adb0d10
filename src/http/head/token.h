#pragma once

#include <algorithm>
#include <string_view>

namespace weir::http {

/// RFC 9110 5.6.2
constexpr bool is_token(std::string_view text) noexcept {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               marks.find(c) != marks.npos;
    });
}

}  // namespace weir::http
