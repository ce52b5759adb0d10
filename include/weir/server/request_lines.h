#pragma once

#include <cstdint>

#include "weir/base/requires_cxx23.h"

namespace weir::server {

/// Whether each answer is shown on standard output, in one line for a person who watches:
/// "18:31:00 200   1.2 KB   <1 ms  GET /index.html", with the time of day in the local time zone.
/// Showing never makes a request wait: where standard output takes nothing, lines are left out.
enum class RequestLines : std::uint8_t {
    none,
    plain,
    coloured,  // the status in a colour for its class, by escape sequences that terminals know
};

}  // namespace weir::server
