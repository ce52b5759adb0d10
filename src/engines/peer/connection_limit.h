#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <system_error>

#include "engines/peer/room_requests.h"
#include "net/accept.h"
#include "net/listener.h"

namespace weir::engines {

/// Counts the connections of all workers, up to a limit, and up to what the process has descriptors
/// for (net::Descriptors). Connections past the limit wait in the listener's queue: none is accepted
/// only to be closed.
class ConnectionLimit {
   public:
    /// 0: the descriptors alone are the limit.
    explicit ConnectionLimit(std::uint32_t connections_max) noexcept
        : connections_max_{connections_max} {}

    /// Once all is open that the engine needs: measures how many descriptors are left. Without a
    /// limit on connections, the process's limit on descriptors is raised as far as it goes first.
    /// EMFILE where there are too few to serve anybody.
    std::error_code open() const noexcept;

    /// The next connection in the queue; `exhausted` if the limit is reached. A listener that has
    /// failed is closed. release() is due once for each connection.
    net::Accepted accept(net::Listener& listener) noexcept;
    /// For a connection that is accepted already: false if the limit is reached.
    bool acquire() noexcept;
    void release() noexcept;

    /// Connections wait, and there is no room for them.
    void note_refusal() const noexcept;
    /// Where room is asked for, and given.
    RoomRequests& room() noexcept { return room_; }

    /// If the limit is reached, or the system is out of descriptors, a loop accepts again when one of
    /// its connections closes, and after this time at the latest: other loops, and other users of
    /// descriptors, don't tell when they close theirs.
    static constexpr std::chrono::milliseconds pause{20};
    /// For so long, where a thread can't go on without what others have.
    static void hold_up_thread() noexcept;

   private:
    alignas(64) std::atomic<std::uint32_t> open_{0};  // counted only where there is a limit
    std::uint32_t connections_max_;
    RoomRequests room_;
};

}  // namespace weir::engines
