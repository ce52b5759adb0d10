#pragma once

#include "net/clock.h"

namespace weir::rules {

/// What a rule asks for the time; tests have one that they turn.
using Clock = Instant (*)() noexcept;

inline Instant system_clock() noexcept { return net::read_clock().instant; }

}  // namespace weir::rules
