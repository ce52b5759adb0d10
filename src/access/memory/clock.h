#pragma once

#include "net/clock.h"

namespace weir::access {

/// What is asked for the time; tests have one that they turn.
using Clock = Now (*)() noexcept;

}  // namespace weir::access
