#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "weir/base/now.h"

namespace weir::engines {

/// The times at which a supervisor asks its workers whether their loops still turn: three times in
/// the time that a worker may take for its sign of life.
class PulseSchedule {
   public:
    static constexpr unsigned misses_max = 3;

    /// `timeout`: 0 turns the questions off.
    PulseSchedule(std::chrono::milliseconds timeout, Instant now) noexcept
        : period_{std::max(timeout / misses_max, std::chrono::milliseconds{1})},
          next_{timeout.count() > 0 ? now + period_ : never} {}

    Instant next() const noexcept { return next_; }

    enum class Look : std::uint8_t {
        not_yet,
        on_time,
        /// The supervisor itself slept through the time, with the machine or its whole process
        /// group. The workers may have slept, too, so their misses do not count.
        late,
    };
    Look look(Instant now) noexcept {
        if (now < next_) return Look::not_yet;
        const bool is_late = now - next_ > period_;
        next_ = now + period_;
        return is_late ? Look::late : Look::on_time;
    }

   private:
    std::chrono::milliseconds period_;
    Instant next_;
};

}  // namespace weir::engines
