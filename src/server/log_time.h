#pragma once

#include <cstdint>
#include <string_view>

namespace weir::server {

/// Both in UTC: a log in local time has an hour twice a year that is there twice. Rendered anew
/// once a second and thread; the text is there until the thread's next call.
std::string_view combined_time(std::int64_t unix_seconds);  // 20/Nov/2026:18:31:00 +0000
std::string_view internet_time(std::int64_t unix_seconds);  // 2026-11-20T18:31:00Z (RFC 3339)

}  // namespace weir::server
