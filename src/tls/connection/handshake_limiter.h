#pragma once

#include <chrono>
#include <utility>

#include "weir/base/now.h"

namespace weir::tls {

/// Limits the handshakes of one thread, so that a flood of them leaves time and memory for the
/// connections that are open already. One handshake takes some 300 microseconds of a core, and some
/// 50 KB.
class HandshakeLimiter {
   public:
    static constexpr unsigned per_turn_max = 8;
    /// The wait until the loop's next turn: all calls of one turn have the same `now`.
    static constexpr std::chrono::milliseconds turn{1};
    /// A connection without a permit tries again after this time: the limiter does not wake it.
    static constexpr std::chrono::milliseconds pause{20};

    /// Counts a handshake, from its first message to its end.
    class Permit {
       public:
        Permit() = default;
        Permit(Permit&& other) noexcept : limiter_{std::exchange(other.limiter_, nullptr)} {}
        Permit& operator=(Permit&& other) noexcept {
            std::swap(limiter_, other.limiter_);
            return *this;
        }
        ~Permit() {
            if (limiter_) --limiter_->at_work_;
        }
        explicit operator bool() const noexcept { return limiter_ != nullptr; }

       private:
        friend class HandshakeLimiter;
        explicit Permit(HandshakeLimiter& limiter) noexcept : limiter_{&limiter} {
            ++limiter.at_work_;
        }

        HandshakeLimiter* limiter_ = nullptr;
    };

    /// Returns no permit if this turn has had `per_turn_max` handshakes, or if the limiter is full.
    Permit enter(Instant now, unsigned at_work_max) noexcept {
        if (now != turn_) {
            turn_ = now;
            this_turn_ = 0;
        }
        if (this_turn_ >= per_turn_max || is_full(at_work_max)) return {};
        ++this_turn_;
        return Permit{*this};
    }
    bool is_full(unsigned at_work_max) const noexcept { return at_work_ >= at_work_max; }

   private:
    Instant turn_ = never;
    unsigned this_turn_ = 0;
    unsigned at_work_ = 0;
};

}  // namespace weir::tls
