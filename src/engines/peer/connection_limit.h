#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "net/accept.h"
#include "net/listener.h"

namespace weir::engines {

/// Counts the connections of all workers, and holds them to a limit. Connections past it wait in
/// the listener's queue: nothing is accepted only to be closed.
class ConnectionLimit {
   public:
    /// 0: as many as this process may have descriptors, which is raised as far as it goes, less
    /// what files, logs and listeners need.
    explicit ConnectionLimit(std::uint32_t connections_max) noexcept;

    /// The next connection in the queue; `exhausted` where the house is full. A listener that is of
    /// no use any more is closed. Each connection leaves once.
    net::Accepted accept(net::Listener& listener) noexcept;
    /// For one that is accepted already: false where the house is full.
    bool acquire() noexcept;
    void release() noexcept { open_.fetch_sub(1, std::memory_order_relaxed); }

    std::uint32_t connections_max() const noexcept { return connections_max_; }

    /// Where the house is full, or the system out of descriptors, accepting goes on when a
    /// connection of the same loop closes, and after this time at the latest: other loops, and
    /// other users of descriptors, don't say when they close theirs.
    static constexpr std::chrono::milliseconds pause{20};

   private:
    alignas(64) std::atomic<std::uint32_t> open_{0};
    std::uint32_t connections_max_;
};

}  // namespace weir::engines
