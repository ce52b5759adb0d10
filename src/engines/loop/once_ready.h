#pragma once

#include <coroutine>
#include <utility>

#include "engines/peer/peer.h"
#include "weir/http/connection.h"

namespace weir::engines {

/// Whether the socket is ready for this step: it has bytes, or space to send into, or, while a
/// handler runs, its peer has gone.
inline bool is_ready(const Peer& peer, http::Step step) noexcept {
    return (http::reads(step) && peer.readable) || (http::sends(step) && peer.writable) ||
           (step == http::Step::wait && peer.broken);
}

/// A coroutine that has stopped, and the step of its connection for which it waits.
struct Waiting {
    std::coroutine_handle<> who{};
    http::Step step{};

    /// The socket is ready. Or the step has changed, because of a completion, the deadline or the
    /// stop, and the coroutine need not wait for the socket any more.
    bool is_over(const Peer& peer) const noexcept {
        return peer.connection->step() != step || is_ready(peer, step);
    }
};

/// `co_await once_ready(loop, peer, act)` calls `act(loop, peer)` once the socket is ready for the
/// connection's step. If the wait ends because the step has changed, it calls nothing. The compiler
/// calls three functions in this order:
///
///   await_ready()    Is there nothing to wait for? Then the coroutine goes on at once, unless it
///                    has used up its turn.
///   await_suspend()  The coroutine has stopped. Calls Loop::wait(), and returns to the caller of
///                    resume(). False if the loop can't watch for the event, and has failed the
///                    connection: then the coroutine goes on.
///   await_resume()   The coroutine goes on. The `co_await` has no value.
template <typename Loop, typename Act>
class OnceReady {
   public:
    OnceReady(Loop& loop, Peer& peer, Act act)
        : loop_{loop}, peer_{peer}, step_{peer.connection->step()}, act_{std::move(act)} {}

    bool await_ready() const noexcept { return is_ready(peer_, step_) && loop_.has_turn(); }
    bool await_suspend(std::coroutine_handle<> who) { return loop_.wait(peer_, {who, step_}); }
    void await_resume() {
        if (peer_.connection->step() == step_) act_(loop_, peer_);
    }

   private:
    Loop& loop_;
    Peer& peer_;
    http::Step step_;
    [[no_unique_address]] Act act_;  // each `co_await` has its own in the frame
};

template <typename Loop, typename Act>
[[nodiscard]] OnceReady<Loop, Act> once_ready(Loop& loop, Peer& peer, Act act) {
    return {loop, peer, std::move(act)};
}

}  // namespace weir::engines
