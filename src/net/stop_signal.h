#pragma once

#include <atomic>

#include "net/event_fd.h"
#include "net/mapping.h"
#include "weir/base/now.h"

namespace weir::net {

/// Tells a server to stop: `draining` asks it to finish the requests under way, `now` to cut all
/// connections. The state never goes back. Any number of threads may wait for the descriptors.
/// Processes that are forked later share the signal: they don't have a copy.
class StopSignal {
   public:
    enum class State : int { running, draining, now };

    /// Throws std::system_error if the system has no descriptor or memory left.
    StopSignal();

    // Both are async-signal-safe; any thread may call, any number of times.
    void request_drain() noexcept { reach(State::draining); }
    void request_now() noexcept { reach(State::now); }

    State state() const noexcept { return shared_->state.load(std::memory_order_acquire); }
    /// The time of the first request; `never` while state() is `running`.
    Instant requested_at() const noexcept {
        return shared_->requested_at.load(std::memory_order_acquire);
    }

    /// A descriptor that becomes readable, and stays so, once state() has gone past `seen`. Don't
    /// read from it. If no state comes after `seen`, the result is -1, which poll(2) ignores.
    int descriptor(State seen) const noexcept;

   private:
    // Shared with the processes that are forked later.
    struct Shared {
        std::atomic<State> state = State::running;
        std::atomic<Instant> requested_at = never;
        // If these atomics had a lock, a signal handler might wait for its own thread.
        static_assert(decltype(state)::is_always_lock_free);
        static_assert(decltype(requested_at)::is_always_lock_free);
    };

    void reach(State state) noexcept;

    Mapping memory_;
    Shared* shared_;    // in `memory_`
    EventFd draining_;  // never cleared: both stay readable after signal()
    EventFd now_;
};

}  // namespace weir::net
