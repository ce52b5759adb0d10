#pragma once

#include <string_view>

namespace weir {

/// Returns `text` without the spaces and tabs around it (the white space of RFC 9110 5.6.3).
constexpr std::string_view trimmed(std::string_view text) noexcept {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace weir
