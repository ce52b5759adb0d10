#pragma once

#include <coroutine>
#include <utility>

#include "engines/peer/peer.h"
#include "weir/http/connection.h"

namespace weir::engines {

/// The socket has what this step waits for: bytes, space to send into, or, while a handler takes its
/// time, the news that the peer has gone.
inline bool is_ready(const Peer& peer, http::Step step) noexcept {
    return (http::reads(step) && peer.readable) || (http::sends(step) && peer.writable) ||
           (step == http::Step::wait && peer.broken);
}

/// A coroutine that has stopped, and the step of its connection for which it waits.
struct Waiting {
    std::coroutine_handle<> who{};
    http::Step step{};

    /// What it waits for is there. Or the connection was told something (an answer, its deadline, the
    /// stop) after which it does not want that any more.
    bool is_over(const Peer& peer) const noexcept {
        return peer.connection->step() != step || is_ready(peer, step);
    }
};

/// `co_await once_ready(loop, peer, act)` is `act(loop, peer)`, once the socket is ready for the connection's
/// step. Where the wait ends because the step is another now, nothing is done. Three functions make
/// it so, which a coroutine calls in this order:
///
///   await_ready()    is there nothing to wait for? Then the coroutine goes on at once, unless it has
///                    used up its turn.
///   await_suspend()  it has stopped, and the loop is told what for: Loop::wait(). It returns from
///                    there to whoever resumed it. False where the loop can't watch for that, and has
///                    failed the connection: then the coroutine goes on.
///   await_resume()   it goes on; what this returns is the value of the `co_await`: none.
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
    [[no_unique_address]] Act act_;  // for each `co_await` there is a place in the frame
};

template <typename Loop, typename Act>
[[nodiscard]] OnceReady<Loop, Act> once_ready(Loop& loop, Peer& peer, Act act) {
    return {loop, peer, std::move(act)};
}

}  // namespace weir::engines
