#pragma once

#include <atomic>

#include "base/now.h"
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

    State state() const noexcept { return shared_->state.load(std::memory_order_acquire); }
    /// When the stop was first requested; `never` while state() is `running`.
    Instant requested_at() const noexcept {
        return shared_->requested_at.load(std::memory_order_acquire);
    }

    /// Becomes readable, and stays so, once state() has gone past `seen`. -1, which poll(2) passes
    /// over, where nothing comes after `seen`. Nobody may read from it.
    int descriptor(State seen) const noexcept;

   private:
    // Among the processes that are forked later.
    struct Shared {
        std::atomic<State> state = State::running;
        std::atomic<Instant> requested_at = never;
        // If they had a lock, a signal handler might wait for its own thread.
        static_assert(decltype(state)::is_always_lock_free);
        static_assert(decltype(requested_at)::is_always_lock_free);
    };

    void reach(State state) noexcept;

    Mapping memory_;
    Shared* shared_;    // in `memory_`
    EventFd draining_;  // never answered: each stays readable once it was rung
    EventFd now_;
};

}  // namespace weir::net
