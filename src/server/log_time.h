#pragma once

#include <cstdint>
#include <string_view>

namespace weir::server {

/// Each is rendered anew once a second and thread; the text is there until the thread's next call.
/// Logs are in UTC: in local time, an hour comes twice on one day of the year.
std::string_view combined_time(std::int64_t unix_seconds);  // 20/Nov/2026:18:31:00 +0000
std::string_view internet_time(std::int64_t unix_seconds);  // 2026-11-20T18:31:00Z (RFC 3339)
/// For a person who watches: 18:31:00 in this machine's time zone.
std::string_view local_time_of_day(std::int64_t unix_seconds);

}  // namespace weir::server
