#pragma once

#include <coroutine>

#include "engines/peer/peer.h"

namespace weir::engines {

/// What the coroutine of a connection may `co_await`. It is asked three things, in this order:
///
///   await_ready()    is there nothing to wait for? Then the coroutine goes on at once.
///   await_suspend()  it has stopped, and returns from Task::resume() to its loop when this returns.
///                    Nothing to do: a loop sees to what wakes a peer before it turns elsewhere.
///   await_resume()   it goes on; what this returns is the value of the `co_await`: none.
///
/// A pause is over when there is a reason to look at the connection's step again, or at the peer's
/// hints: what was waited for, or else an answer, a deadline, the stop. That deadline is the
/// connection's own, so each of these is at the same time a wait with a timeout.
class Pause {
   public:
    explicit Pause(bool is_over) noexcept : is_over_{is_over} {}

    bool await_ready() const noexcept { return is_over_; }
    void await_suspend(std::coroutine_handle<> /*of whom*/) const noexcept {}
    void await_resume() const noexcept {}

   private:
    bool is_over_;  // a byte: for each `co_await` there is a place in the frame
};

/// Until receiving may yield something.
[[nodiscard]] inline Pause readable(const Peer& peer) noexcept { return Pause{peer.readable}; }
/// Until sending may be taken.
[[nodiscard]] inline Pause writable(const Peer& peer) noexcept { return Pause{peer.writable}; }
/// Until either may be done.
[[nodiscard]] inline Pause either(const Peer& peer) noexcept {
    return Pause{peer.readable || peer.writable};
}
/// Until an answer has come from elsewhere, the time for it has run out, or nobody can be given it.
[[nodiscard]] inline Pause answer_or_timeout(const Peer& peer) noexcept {
    return Pause{peer.broken};
}

}  // namespace weir::engines
