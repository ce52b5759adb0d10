#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

#include "weir/base/requires_cxx23.h"

namespace weir {

/// The type of times of the monotonic clock. It cannot read the clock: all code below the engines
/// takes the time as an argument, so that tests can set it. Postbox::now() reads the clock of an
/// engine.
struct Monotonic {
    using rep = std::int64_t;
    using period = std::micro;
    using duration = std::chrono::microseconds;
    using time_point = std::chrono::time_point<Monotonic, duration>;
    static constexpr bool is_steady = true;
};

using Instant = Monotonic::time_point;

/// A deadline that never comes.
inline constexpr Instant never = Instant::max();

}  // namespace weir
