#pragma once

#include <chrono>

#include "weir/base/instant.h"

namespace weir::web::ws {

/// Checks by pings that a silent peer is still there.
class Heartbeat {
   public:
    enum class Verdict : unsigned char { well, ask, lost };

    Heartbeat(std::chrono::milliseconds ping_every, std::chrono::milliseconds pong_within,
              Instant now) noexcept
        : ping_every_{ping_every}, pong_within_{pong_within}, heard_{now} {}

    /// Called when the peer has sent something, or is kept from sending.
    void note_heard(Instant now) noexcept {
        heard_ = now;
        has_asked_ = false;
    }
    /// The time of the next look().
    Instant due() const noexcept {
        if (ping_every_ == ping_every_.zero()) return never;
        return heard_ + ping_every_ + (has_asked_ ? pong_within_ : pong_within_.zero());
    }
    /// `ask`: the caller has to send a ping.
    Verdict look(Instant now) noexcept {
        if (now < due()) return Verdict::well;
        if (has_asked_) return Verdict::lost;
        has_asked_ = true;
        return Verdict::ask;
    }

   private:
    std::chrono::milliseconds ping_every_;
    std::chrono::milliseconds pong_within_;
    Instant heard_;
    bool has_asked_ = false;
};

}  // namespace weir::web::ws
