#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <system_error>

#include "engines/peer/address_counts.h"
#include "engines/peer/eviction_requests.h"
#include "net/accept.h"
#include "net/listener.h"

namespace weir::engines {

/// Counts the connections of all workers, up to a limit, and up to the number that the process has
/// descriptors for (net::Descriptors). Connections past the limit wait in the listener's queue:
/// none is accepted only to be closed. Connections past the limit of their address are closed: in
/// the queue they would keep others waiting.
class ConnectionLimit {
   public:
    /// `connections_max`: 0 leaves the descriptors as the only limit. `per_address_max`: the limit
    /// of one address; 0: none.
    explicit ConnectionLimit(std::uint32_t connections_max, std::uint32_t per_address_max = 0);

    /// Call it when everything that the engine needs is open: counts the descriptors that are left.
    /// Without a limit on connections, first raises the process's limit on descriptors as far as
    /// possible. EMFILE if too few are left for any connection.
    std::error_code open() const noexcept;

    /// The next connection in the queue; `exhausted` if the limit is reached, `gone` if the limit
    /// of its address is. A listener that has failed is closed. The caller owes one release() for
    /// each connection.
    net::Accepted accept(net::Listener& listener) noexcept;
    void release(const net::PeerAddress& address) noexcept {
        if (of_addresses_) of_addresses_->release(address);
        release();
    }

    /// For an engine that accepts by itself: false if the limit is reached.
    bool acquire() noexcept;
    /// After acquire(), with the address of the connection. If the limit of the address is reached,
    /// takes the acquire() back and returns false.
    bool admit(const net::PeerAddress& address) noexcept;

    /// Reports (troubles()) that connections wait and can't be accepted.
    void note_refusal() const noexcept;
    /// The requests for evictions that the parts of the process exchange.
    EvictionRequests& evictions() noexcept { return evictions_; }

    /// If the limit is reached, or the system is out of descriptors, a loop accepts again when one
    /// of its connections closes, and after this time at the latest: other loops, and other users
    /// of descriptors, don't report when they close theirs.
    static constexpr std::chrono::milliseconds pause{20};
    /// Sleeps for `pause`: the thread can't go on without something that others have.
    static void back_off() noexcept;

   private:
    void release() noexcept;

    alignas(64) std::atomic<std::uint32_t> open_{0};  // counted only if there is a limit
    std::uint32_t connections_max_;
    std::optional<AddressCounts> of_addresses_;
    EvictionRequests evictions_;
};

}  // namespace weir::engines
