#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "weir/web/signed_cookies.h"

/// Rules that cookies with a signature share with encrypted ones.
namespace weir::web::detail {

/// Returns the keys. Throws as the constructor of SignedCookies does.
inline std::vector<std::string> checked_keys(std::vector<std::string> keys) {
    const auto is_short = [](const std::string& key) {
        return key.size() < SignedCookies::key_bytes_min;
    };
    if (keys.empty() || std::ranges::any_of(keys, is_short))
        throw std::invalid_argument{"cookies need a key of 32 bytes or more"};
    return keys;
}

/// Throws std::length_error if the cookie is longer than browsers keep.
inline void check_length(std::string_view name, std::string_view value) {
    if (name.size() + value.size() > SignedCookies::bytes_max)
        throw std::length_error{"a cookie of more than 4,096 bytes"};
}

/// The text of the request's cookie; null if there is none, or a longer one.
inline std::optional<std::string_view> bounded_cookie(const Call& call, std::string_view name) {
    const auto text = call.cookie(name);
    if (!text || name.size() + text->size() > SignedCookies::bytes_max) return std::nullopt;
    return text;
}

}  // namespace weir::web::detail
