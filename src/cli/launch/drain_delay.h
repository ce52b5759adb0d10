#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "net/event_fd.h"

namespace weir::cli {

/// The time between the signal that stops a server and the stop, in which the server goes on:
/// balancers see that it is not ready, and send no more.
class DrainDelay {
   public:
    /// Calls `stop` on a thread of its own, once, that time after begin(). Throws std::system_error
    /// if the system cannot start a thread.
    DrainDelay(std::chrono::milliseconds delay, std::function<void()> stop);
    /// `stop` is not called afterwards.
    ~DrainDelay();
    DrainDelay(const DrainDelay&) = delete;
    DrainDelay& operator=(const DrainDelay&) = delete;

    /// Async-signal-safe. Further calls have no effect.
    void begin() const noexcept { begun_.signal(); }

   private:
    void run() const;

    const std::chrono::milliseconds delay_;
    const std::function<void()> stop_;
    net::EventFd begun_;
    net::EventFd ended_;
    std::thread thread_;  // last, because the thread uses all members above
};

}  // namespace weir::cli
