#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::server {

/// Each thread renders a time once a second
std::string_view combined_time(std::int64_t unix_seconds);  // 20/Nov/2026:18:31:00 +0000
std::string_view internet_time(std::int64_t unix_seconds);  // 2026-11-20T18:31:00Z (RFC 3339)
/// Appends 2026-11-20T18:31:00.000042Z.
void append_precise_time(std::string& out, std::int64_t unix_seconds, std::uint32_t microseconds);
/// Appends ".042": a part of `digits` decimal digits.
void append_fraction(std::string& out, std::uint32_t part, std::size_t digits);
/// The local time of day for a person who watches: 18:31:00.
std::string_view local_time_of_day(std::int64_t unix_seconds);
/// The local time of RFC 3164 4.1.2: Nov 20 18:31:00, or Nov  2 18:31:00.
std::string_view local_date_and_time(std::int64_t unix_seconds);

}  // namespace weir::server
