#pragma once

#include <cstdint>

#include "weir/base/requires_cxx23.h"

namespace weir::server {

/// Whether the server shows each response on standard output, in one line for a person who watches:
/// "18:31:00 200   1.2 KB   <1 ms  GET /index.html", with the time of day in the local time zone.
/// Requests never wait for this: the server drops lines if standard output is not writable.
enum class RequestLines : std::uint8_t {
    none,
    plain,
    coloured,  // colours the status by its class, with the usual escape sequences of terminals
};

}  // namespace weir::server
