#pragma once

#include <cstdint>
#include <string>

#include "server/log/line/access_line.h"

namespace weir::server {

/// Appends one line about a request, for a person who watches: local time of day, status, size,
/// duration, request: "18:31:00 200   1.2 KB   <1 ms  GET /index.html". The line is escaped like
/// the access log, so that a terminal does not interpret any part of the request.
void append_shown(std::string& out, const AccessEntry& entry);
/// The same, with a colour for the class of the status.
void append_shown_in_colour(std::string& out, const AccessEntry& entry);
/// Appends a line that replaces `lines` lines that were not shown.
void append_shown_dropped(std::string& out, std::uint64_t lines, std::int64_t unix_seconds);

}  // namespace weir::server
