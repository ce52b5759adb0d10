#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "weir/base/now.h"
#include "weir/http/limits.h"

namespace weir::http {

/// Returns how many bytes of a response a peer must take in each period of Timeouts::transmit; at
/// least 1. docs/decisions/0014-what-a-peer-takes.md says why the kernel's count decides.
inline std::uint64_t bytes_per_look(const Timeouts& timeouts) noexcept {
    const auto bytes =
        static_cast<std::uint64_t>(timeouts.transmit.count()) * timeouts.transmit_rate_min / 1000;
    return std::max<std::uint64_t>(bytes, 1);
}

/// Returns the time at which content that began to arrive at `began` is too slow as a whole, if no
/// more of it arrives (Timeouts::content_rate_min). `received` is in bytes.
inline Instant content_due(const Timeouts& timeouts, Instant began,
                           std::uint64_t received) noexcept {
    if (timeouts.content_rate_min == 0 || timeouts.body == timeouts.body.zero()) return never;
    const std::chrono::milliseconds earned{1000 * received / timeouts.content_rate_min};
    return began + timeouts.body + earned;
}

}  // namespace weir::http
