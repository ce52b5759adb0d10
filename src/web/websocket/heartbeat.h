#pragma once

#include "weir/base/instant.h"
#include "weir/web/websocket.h"

namespace weir::web::ws {

/// The time of a socket. Pings check that a silent peer is still there, and a closing has an end.
class Heartbeat {
   public:
    enum class Verdict : unsigned char { well, ask, lost };

    explicit Heartbeat(Instant now) noexcept : since_{now} {}

    /// Called when the peer has sent something, or is kept from sending.
    void note_heard(Instant now) noexcept {
        if (state_ == State::closing) return;
        since_ = now;
        state_ = State::open;
    }
    /// There are no more pings. A second call does nothing.
    void begin_closing(Instant now) noexcept {
        if (state_ != State::closing) since_ = now;
        state_ = State::closing;
    }
    bool is_closing() const noexcept { return state_ == State::closing; }
    /// The time of the next look(), and the end of a closing.
    Instant due(const WebSocketOptions& options) const noexcept {
        if (state_ == State::closing) return since_ + options.close_within;
        if (options.ping_every == options.ping_every.zero()) return never;
        return since_ + options.ping_every +
               (state_ == State::asked ? options.pong_within : options.pong_within.zero());
    }
    /// `ask`: the caller has to send a ping.
    Verdict look(const WebSocketOptions& options, Instant now) noexcept {
        if (state_ == State::closing || now < due(options)) return Verdict::well;
        if (state_ == State::asked) return Verdict::lost;
        state_ = State::asked;
        return Verdict::ask;
    }

   private:
    enum class State : unsigned char { open, asked, closing };

    Instant since_;  // the peer was heard, or the closing has begun
    State state_ = State::open;
};

}  // namespace weir::web::ws
