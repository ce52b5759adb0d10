#pragma once

#include "engines/peer/eviction_requests.h"
#include "engines/peer/peer.h"
#include "weir/base/now.h"

namespace weir::engines {

/// Evicts the connection of a thread that has only this one, when another part of the process
/// requests it (EvictionRequests). The fastest of all waiting threads takes each request. If a file
/// of the thread itself has used the reserve of descriptors, the thread asks the others.
class ThreadEvictor {
   public:
    /// `requests` may be null: no connection is evicted then.
    explicit ThreadEvictor(EvictionRequests* requests) noexcept : requests_{requests} {}

    /// Readable while a connection such as this one is to be evicted. -1: never.
    int descriptor(const Peer& peer) const noexcept;
    /// Once descriptor() is readable.
    void evict(Peer& peer, Now now) const;

    /// After a transfer: whether there is something to ask for, or to take back.
    bool is_due() const noexcept { return has_asked_ || (requests_ && is_short()); }
    /// Asks for evictions if a file has used the reserve. Takes the request back once there are
    /// enough descriptors: then no connection is evicted for it any more.
    void ask_for_files(Now now);
    bool has_asked() const noexcept { return has_asked_; }

   private:
    static bool is_short() noexcept;

    EvictionRequests* const requests_;
    Instant ask_again_at_{};
    bool has_asked_ = false;
};

}  // namespace weir::engines
