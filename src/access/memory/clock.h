#pragma once

#include "net/clock.h"

namespace weir::access {

/// The source of the time. Tests have a clock of their own.
using Clock = Now (*)() noexcept;

}  // namespace weir::access
