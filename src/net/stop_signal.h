#pragma once

#include <atomic>

#include "net/event_fd.h"
#include "net/mapping.h"

namespace weir::net {

/// Tells a server to stop: first to finish the requests under way, then to drop everything. The
/// state never goes back. Any number of threads may wait for its descriptors. Processes that are
/// forked later share the signal: they don't have a copy.
class StopSignal {
   public:
    enum class State : int { running, draining, now };

    /// Throws std::system_error if the system has no descriptor or memory left.
    StopSignal();

    /// Both are async-signal-safe; any thread may call them, any number of times.
    void request_drain() noexcept { reach(State::draining); }
    void request_now() noexcept { reach(State::now); }

    State state() const noexcept { return state_->load(std::memory_order_acquire); }

    /// Becomes readable, and stays so, once state() has gone past `seen`. Don't read from it. If no
    /// state comes after `seen`, it is -1, which poll(2) ignores.
    int descriptor(State seen) const noexcept;

   private:
    void reach(State state) noexcept;

    Mapping shared_;
    std::atomic<State>* state_;  // in there
    static_assert(
        std::atomic<State>::is_always_lock_free);  // or a signal handler might wait for itself
    EventFd draining_;  // never answered: each stays readable once it was rung
    EventFd now_;
};

}  // namespace weir::net
