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

/// Counts the connections of all workers, up to a limit, and up to what the process has descriptors
/// for (net::Descriptors). Connections past the limit wait in the listener's queue: none is accepted
/// only to be closed. Those past the limit of their address are: in the queue they would keep others
/// waiting.
class ConnectionLimit {
   public:
    /// 0: the descriptors alone are the limit.
    /// `per_address_max`: so many of one address; 0: no limit.
    explicit ConnectionLimit(std::uint32_t connections_max, std::uint32_t per_address_max = 0);

    /// Once all is open that the engine needs: measures how many descriptors are left. Without a
    /// limit on connections, the process's limit on descriptors is raised as far as it goes first.
    /// EMFILE where there are too few to serve anybody.
    std::error_code open() const noexcept;

    /// The next connection in the queue; `exhausted` if the limit is reached, `gone` if that of the
    /// address is. A listener that has failed is closed. release() is due once for each connection.
    net::Accepted accept(net::Listener& listener) noexcept;
    void release(const net::PeerAddress& address) noexcept {
        if (of_addresses_) of_addresses_->release(address);
        release();
    }

    /// For an engine that accepts by itself: false if the limit is reached.
    bool acquire() noexcept;
    /// After acquire(), for a connection from there. False if the limit of its address is reached:
    /// its place is given back then.
    bool admit(const net::PeerAddress& address) noexcept;

    /// Connections wait, and there is no room for them.
    void note_refusal() const noexcept;
    /// Where a part of the process that is short of room asks others.
    EvictionRequests& evictions() noexcept { return evictions_; }

    /// If the limit is reached, or the system is out of descriptors, a loop accepts again when one of
    /// its connections closes, and after this time at the latest: other loops, and other users of
    /// descriptors, don't tell when they close theirs.
    static constexpr std::chrono::milliseconds pause{20};
    /// For so long, where a thread can't go on without what others have.
    static void hold_up_thread() noexcept;

   private:
    void release() noexcept;

    alignas(64) std::atomic<std::uint32_t> open_{0};  // counted only where there is a limit
    std::uint32_t connections_max_;
    std::optional<AddressCounts> of_addresses_;
    EvictionRequests evictions_;
};

}  // namespace weir::engines
