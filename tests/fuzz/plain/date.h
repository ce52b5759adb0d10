#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::tests::plain {

enum class DateForm : std::uint8_t { imf_fixdate, rfc850, asctime };

/// RFC 9110 5.6.7, with the C library's calendar. `unix_seconds` lies in the years 0 to 9999.
std::string date_text(std::int64_t unix_seconds, DateForm form);

/// All three forms, by their grammar. Nothing if the text is none of them, or names no day of the
/// calendar.
std::optional<std::int64_t> read_date(std::string_view text, std::int64_t now);

}  // namespace weir::tests::plain
