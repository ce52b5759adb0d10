#pragma once

#include <atomic>

#include "net/event_fd.h"
#include "net/mapping.h"

namespace weir::net {

/// How a server is told to stop: first to finish what is under way, then to drop everything. Goes
/// one way only. Any number of threads may wait for it, with whatever waits for descriptors; so may
/// processes: one that is forked later has the same signal, not a copy.
class StopSignal {
   public:
    enum class State : int { running, draining, now };

    /// Throws std::system_error where the system has no descriptor or memory left.
    StopSignal();

    /// Both are async-signal-safe, and may be called by any thread, again and again.
    void request_drain() noexcept { reach(State::draining); }
    void request_now() noexcept { reach(State::now); }

    State state() const noexcept { return state_->load(std::memory_order_acquire); }

    /// Becomes readable, and stays so, once state() has gone past `seen`. -1, which poll(2) passes
    /// over, where nothing comes after `seen`. Nobody may read from it.
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
