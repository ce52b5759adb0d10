#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace weir::server {

/// The files by which a CA checks who controls a host (RFC 8555 8.3).
inline constexpr std::string_view acme_challenges = "/.well-known/acme-challenge/";

/// True for a token of a CA, which is base64url. Other texts would be no name of a file.
inline bool is_challenge_token(std::string_view text) noexcept {
    constexpr std::size_t bytes_max = 200;
    return !text.empty() && text.size() <= bytes_max && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    });
}

}  // namespace weir::server
