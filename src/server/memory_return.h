#pragma once

#include <atomic>
#include <cstdint>

#include "base/budget.h"

namespace weir::server {

/// Keeps the C library from returning freed memory to the system by itself, which glibc does as soon
/// as 128 KB are free at the end of its heap. A server takes it again a moment later, and the kernel
/// has to clear each page. For a program that does nothing else: it is for the whole process, and up
/// to 32 MB of each arena stay. To call before there are threads.
void keep_freed_memory() noexcept;

/// Returns memory to the system after the load has fallen. The C library keeps freed memory for
/// later allocations, and returns little of it by itself, because memory in use lies between the
/// free parts.
///
/// The server calls look() whenever a connection closes. Memory is returned each time that the
/// connections need only half of their maximum since the last return. So the cost of all returns
/// together is no more than that of the first one.
class MemoryReturn {
   public:
    explicit MemoryReturn(const Budget& budget) noexcept : budget_{budget} {}

    /// Any thread may call it.
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
    std::atomic<std::uint64_t> most_{0};  // the most memory in use since the last return, in bytes
};

}  // namespace weir::server
