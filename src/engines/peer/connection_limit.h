#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "net/accept.h"
#include "net/listener.h"

namespace weir::engines {

/// Counts the connections of all workers, up to a limit. Connections past the limit wait in the
/// listener's queue: none is accepted only to be closed.
class ConnectionLimit {
   public:
    /// 0: as many as the process may have descriptors, less a reserve for files, logs and listeners.
    /// That limit is raised as far as it goes.
    explicit ConnectionLimit(std::uint32_t connections_max) noexcept;

    /// The next connection in the queue; `exhausted` if the limit is reached. A listener that has
    /// failed is closed. release() is due once for each connection.
    net::Accepted accept(net::Listener& listener) noexcept;
    /// For a connection that is accepted already: false if the limit is reached.
    bool acquire() noexcept;
    void release() noexcept { open_.fetch_sub(1, std::memory_order_relaxed); }

    std::uint32_t connections_max() const noexcept { return connections_max_; }

    /// If the limit is reached, or the system is out of descriptors, a loop accepts again when one of
    /// its connections closes, and after this time at the latest: other loops, and other users of
    /// descriptors, don't tell when they close theirs.
    static constexpr std::chrono::milliseconds pause{20};
    /// For so long, where a thread can't go on without what others have.
    static void hold_up_thread() noexcept;

   private:
    alignas(64) std::atomic<std::uint32_t> open_{0};
    std::uint32_t connections_max_;
};

}  // namespace weir::engines
