#pragma once

#include <atomic>
#include <cstdint>

#include "base/budget.h"

namespace weir::server {

/// Gives memory back to the system after a crowd has left. The C library keeps what is freed for what
/// comes next, and gives back little by itself: what is in use lies among it.
///
/// It looks whenever a connection closes. Memory is given back each time that the connections need
/// only half of what they needed when it was last: all calls together cost no more than the first.
class MemoryReturn {
   public:
    explicit MemoryReturn(const Budget& budget) noexcept : budget_{budget} {}

    /// Any thread.
    void look() noexcept {
        const std::uint64_t used = budget_.used();
        std::uint64_t most = most_.load(std::memory_order_relaxed);
        if (used > most) return most_.store(used, std::memory_order_relaxed);
        if (most - used < worth_it || used > most / 2) [[likely]]
            return;
        if (most_.compare_exchange_strong(most, used, std::memory_order_relaxed)) give_back();
    }

   private:
    static constexpr std::uint64_t worth_it = std::uint64_t{4} << 20;
    static void give_back() noexcept;

    const Budget& budget_;
    std::atomic<std::uint64_t> most_{0};  // in use since memory was last given back
};

}  // namespace weir::server
