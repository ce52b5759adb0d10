#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "net/mapping.h"
#include "weir/base/instant.h"

namespace weir::access {

/// Limits the actions of many clients: each may act at an even rate, and several times at once
/// after a pause (the generic cell rate algorithm). The table lies in memory that the process
/// shares with its forked children, so that a client has one limit for all of them. Its size is
/// fixed: if a new client has no place, it takes that of the client with the least to wait for. Any
/// thread may call it; no call waits for another.
class RateTable {
   public:
    using Microseconds = std::chrono::microseconds;
    struct Limit {
        Microseconds interval;  // between two actions at the even rate; positive
        std::uint32_t burst;    // actions at once; positive
    };
    static constexpr std::size_t clients_max = 65'536;  // 1 MB, of which only pages in use count

    /// Throws std::system_error if there is no memory to share.
    explicit RateTable(Limit limit, std::size_t clients = clients_max);

    /// Returns the time that the client has to wait; 0: it may act, and the action counts. `client`
    /// is a keyed hash, so that no client can choose the place that it takes.
    Microseconds take(std::uint64_t client, Instant now) noexcept;
    /// Undoes take(): the action does not count.
    void give_back(std::uint64_t client) noexcept;

   private:
    struct Slot {
        std::atomic<std::uint64_t> client;     // 0: free
        std::atomic<std::int64_t> paid_until;  // end of its actions at the even rate
    };
    static constexpr std::size_t ways = 8;

    Slot& slot_at(std::uint64_t client, std::size_t way) const noexcept;
    Slot* find(std::uint64_t client) const noexcept;
    Slot& slot_of(std::uint64_t client) noexcept;

    const Limit limit_;
    const std::size_t sets_;
    const net::Mapping mapping_;
};

}  // namespace weir::access
