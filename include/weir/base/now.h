#pragma once

#include <cstdint>

#include "weir/base/instant.h"

namespace weir {

/// The time that an engine passes with each call: the instant for deadlines, and the wall clock for
/// Date. An engine reads it once per wake-up, not once per request. Only net/clock.h reads clocks.
struct Now {
    Instant instant;
    std::int64_t unix_seconds = 0;  // seconds since 1970-01-01T00:00:00Z
};

}  // namespace weir
