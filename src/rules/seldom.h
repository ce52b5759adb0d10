#pragma once

#include <atomic>
#include <chrono>

#include "rules/clock.h"

namespace weir::rules {

/// Says at most once in a time that it is time. Any thread may ask; one of them is told.
class Seldom {
   public:
    Seldom(Clock clock, std::chrono::milliseconds pause) noexcept : clock_{clock}, pause_{pause} {}

    bool is_time() noexcept {
        const auto now = clock_().time_since_epoch().count();
        auto next = next_.load(std::memory_order_relaxed);
        return now >= next && next_.compare_exchange_strong(next, now + pause_.count());
    }

   private:
    const Clock clock_;
    const std::chrono::milliseconds pause_;
    std::atomic<Instant::rep> next_{Instant::min().time_since_epoch().count()};
};

/// How often a rule looks whether a file has changed.
inline constexpr std::chrono::milliseconds look_pause{1000};

}  // namespace weir::rules
