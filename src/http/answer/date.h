#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace weir::http {

inline constexpr std::size_t date_size = 29;

/// Renders an IMF-fixdate, "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 5.6.7), for the years 1970 to
/// 9999.
void render_date(std::int64_t unix_seconds, std::span<char, date_size> into) noexcept;

/// Parses all three formats of RFC 9110 5.6.7. Returns Unix seconds, or nothing if the text is not
/// exactly one of them. The two-digit year of an rfc850-date means the latest such year that is at
/// most 50 years in the future.
std::optional<std::int64_t> parse_date(std::string_view text,
                                       std::int64_t now_unix_seconds) noexcept;

}  // namespace weir::http
