#pragma once

#include <cstdint>
#include <string_view>

namespace weir::http {

enum class Comparison : std::uint8_t { strong, weak };

/// Compares by RFC 9110 8.8.3.2. `tag` is one entity tag as in the field; `own` is that of the
/// representation. A weak tag never matches by strong comparison.
bool tags_match(std::string_view tag, std::string_view own, Comparison comparison) noexcept;

/// True if a line of If-Match or If-None-Match ("*" or a list) names `own`. A malformed entity tag
/// matches nothing.
bool line_matches(std::string_view line, std::string_view own, Comparison comparison) noexcept;

}  // namespace weir::http
