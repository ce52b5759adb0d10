#pragma once

#include <cstdint>
#include <string>

#include "server/access_line.h"

namespace weir::server {

/// One request for a person who watches: local time of day, status, size, duration, request:
/// "18:31:00 200   1.2 KB   <1 ms  GET /index.html". Escaped as the access log is, so that a
/// terminal obeys nothing that a request contains.
void append_shown(std::string& out, const AccessEntry& entry);
/// The same with the status in a colour for its class.
void append_shown_in_colour(std::string& out, const AccessEntry& entry);
/// In place of `lines` lines that were not shown.
void append_shown_dropped(std::string& out, std::uint64_t lines, std::int64_t unix_seconds);

}  // namespace weir::server
