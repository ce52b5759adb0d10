#pragma once

#include <chrono>

#include "weir/base/now.h"

namespace weir::access {

/// A clock that the test turns. Files are from its future, so none is taken for one that is being
/// written.
inline Now& test_time() {
    static Now now{.instant = Instant{std::chrono::hours{1}}};
    return now;
}
inline Now test_clock() noexcept { return test_time(); }

}  // namespace weir::access
