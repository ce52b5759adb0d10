#pragma once

#include "engines/peer/eviction_requests.h"
#include "engines/peer/peer.h"
#include "weir/base/now.h"

namespace weir::engines {

/// Evicts the connection of a thread that has only this one, when room is short in the process: one of all
/// threads that wait answers each request, whichever is first. Where a file of the thread itself has used
/// the reserve of descriptors, it asks the others.
class ThreadEvictor {
   public:
    /// `requests` may be null: the connection stays then.
    explicit ThreadEvictor(EvictionRequests* requests) noexcept : requests_{requests} {}

    /// Readable while a connection such as this one is to be evicted. -1: it stays.
    int descriptor(const Peer& peer) const noexcept;
    /// Once that is readable.
    void evict(Peer& peer, Now now) const;

    /// After a transfer: there is something to ask, or to withdraw.
    bool is_due() const noexcept { return has_asked_ || (requests_ && is_short()); }
    /// Asks where a file has used the reserve, and withdraws that once there is enough: no connection is
    /// evicted for it any more.
    void ask_for_files(Now now);
    bool has_asked() const noexcept { return has_asked_; }

   private:
    static bool is_short() noexcept;

    EvictionRequests* const requests_;
    Instant ask_again_at_{};
    bool has_asked_ = false;
};

}  // namespace weir::engines
