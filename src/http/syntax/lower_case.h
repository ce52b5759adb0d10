#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace weir::http {

/// A to Z become a to z. All other bytes stay as they are.
constexpr char lower_case(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lower_case(std::string_view text) {
    std::string lowered{text};
    std::ranges::transform(lowered, lowered.begin(), [](char c) { return lower_case(c); });
    return lowered;
}

}  // namespace weir::http
