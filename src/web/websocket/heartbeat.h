#pragma once

#include "weir/base/instant.h"
#include "weir/web/websocket.h"

namespace weir::web::ws {

/// Checks by pings that a silent peer is still there.
class Heartbeat {
   public:
    enum class Verdict : unsigned char { well, ask, lost };

    explicit Heartbeat(Instant now) noexcept : heard_{now} {}

    /// Called when the peer has sent something, or is kept from sending.
    void note_heard(Instant now) noexcept {
        heard_ = now;
        has_asked_ = false;
    }
    /// The time of the next look().
    Instant due(const WebSocketOptions& options) const noexcept {
        if (options.ping_every == options.ping_every.zero()) return never;
        return heard_ + options.ping_every +
               (has_asked_ ? options.pong_within : options.pong_within.zero());
    }
    /// `ask`: the caller has to send a ping.
    Verdict look(const WebSocketOptions& options, Instant now) noexcept {
        if (now < due(options)) return Verdict::well;
        if (has_asked_) return Verdict::lost;
        has_asked_ = true;
        return Verdict::ask;
    }

   private:
    Instant heard_;
    bool has_asked_ = false;
};

}  // namespace weir::web::ws
