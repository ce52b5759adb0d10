#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/hexadecimal.h"

namespace weir {

/// Decodes a name or a value of application/x-www-form-urlencoded: "+" is a space. A malformed
/// escape stands for itself, as browsers have it (URL Standard 5.1).
inline std::string form_decoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape = text[i] == '%' && text.size() - i >= 3 &&
                               hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
        if (is_escape) {
            out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

/// Appends `text` as a value of a query, for form_decoded().
inline void append_form_encoded(std::string& out, std::string_view text) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    append_percent_encoded(out, text, plain);
}

/// Calls `visit(parameter)` for each parameter of "a=1&b", not decoded, in order.
template <typename Visit>
void for_each_parameter(std::string_view query, Visit visit) {
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        if (end > 0) visit(query.substr(0, end));
        query.remove_prefix(std::min(end + 1, query.size()));
    }
}

}  // namespace weir
