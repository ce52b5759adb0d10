#pragma once

#include <chrono>
#include <utility>

#include "weir/base/now.h"

namespace weir::tls {

/// Limits the handshakes of one thread, so that a flood of them leaves time and memory for the
/// connections that are open already. One handshake takes some 300 microseconds of a core, and some
/// 50 KB.
class HandshakeGate {
   public:
    static constexpr unsigned per_turn_max = 8;
    /// The wait until the loop's next turn: all calls of one turn have the same `now`.
    static constexpr std::chrono::milliseconds turn{1};
    /// A connection that found the gate full tries again after this time: the gate does not wake
    /// it.
    static constexpr std::chrono::milliseconds pause{20};

    /// The place of a handshake, from its first message to its end.
    class Place {
       public:
        Place() = default;
        Place(Place&& other) noexcept : gate_{std::exchange(other.gate_, nullptr)} {}
        Place& operator=(Place&& other) noexcept {
            std::swap(gate_, other.gate_);
            return *this;
        }
        ~Place() {
            if (gate_) --gate_->at_work_;
        }
        explicit operator bool() const noexcept { return gate_ != nullptr; }

       private:
        friend class HandshakeGate;
        explicit Place(HandshakeGate& gate) noexcept : gate_{&gate} { ++gate.at_work_; }

        HandshakeGate* gate_ = nullptr;
    };

    /// Returns no place if this turn has had `per_turn_max` handshakes, or if the gate is full.
    Place enter(Instant now, unsigned at_work_max) noexcept {
        if (now != turn_) {
            turn_ = now;
            this_turn_ = 0;
        }
        if (this_turn_ >= per_turn_max || is_full(at_work_max)) return {};
        ++this_turn_;
        return Place{*this};
    }
    bool is_full(unsigned at_work_max) const noexcept { return at_work_ >= at_work_max; }
    unsigned at_work() const noexcept { return at_work_; }

   private:
    Instant turn_ = never;
    unsigned this_turn_ = 0;
    unsigned at_work_ = 0;
};

}  // namespace weir::tls
