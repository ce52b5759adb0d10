#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/http/request.h"

namespace weir::tests {

/// The value of `name` in "a=1&b&c=3"; empty if the parameter has no value, nothing if it is
/// missing.
inline std::optional<std::string_view> parameter(const http::Request& request,
                                                 std::string_view name) {
    for (auto query = request.query(); !query.empty();) {
        const auto end = query.find('&');
        const auto pair = query.substr(0, end);
        const auto equals = pair.find('=');
        if (pair.substr(0, equals) == name)
            return equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1);
        query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
    }
    return std::nullopt;
}

inline std::uint64_t number_parameter(const http::Request& request, std::string_view name,
                                      std::uint64_t otherwise = 0) {
    const auto text = parameter(request, name).value_or("");
    std::uint64_t value = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace weir::tests
