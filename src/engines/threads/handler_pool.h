#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <system_error>
#include <vector>

#include "engines/contract/host.h"
#include "engines/peer/inbox.h"
#include "engines/peer/peer_table.h"
#include "engines/threads/bounded_queue.h"
#include "engines/threads/thread_group.h"
#include "weir/http/handler.h"

namespace weir::engines {

/// Threads that run handlers for a loop, and give their replies back to it. The loop is woken through
/// a descriptor, once for all replies since it last looked.
///
/// Requests that find no room in the threads' queue wait in a line. One connection may have many
/// requests there. So peers take turns: the second request of a peer moves on after the first request
/// of every other peer that waits.
class HandlerPool {
   public:
    /// The peer keeps its place until all its jobs have come back: a handler may ask for its origin.
    /// The request comes back too, so that the loop's thread lets go of it last.
    struct Job {
        Peer* peer;
        std::shared_ptr<const http::Request> request;
    };
    struct Done {
        Job job;
        http::Reply reply;
    };

    /// Throws std::system_error where the system has no descriptor left.
    HandlerPool(Host& host, PeerTable& peers);
    ~HandlerPool() { queue_.close(); }
    HandlerPool(const HandlerPool&) = delete;
    HandlerPool& operator=(const HandlerPool&) = delete;

    /// Starts the threads.
    std::error_code open();

    // For the loop alone.

    /// A request that is not awaited any more when its turn comes is not handled: it comes back with
    /// a reply that its connection drops. Throws std::bad_alloc, and does nothing then.
    void submit(Peer& peer, std::shared_ptr<const http::Request> request);
    /// Readable while there is something to collect.
    int fd() const noexcept { return done_.fd(); }
    /// The jobs that have come back. They left room for those that wait in line. The loop calls
    /// let_go() for each.
    Inbox<Done>::Collected collect();
    /// Returns whether that was the last job of the peer.
    bool let_go(const Peer& peer) noexcept { return --of_slots_[peer.slot].jobs == 0; }
    /// Jobs that are queued, under way, or not let go of; those in line do not count.
    bool has_jobs_of(const Peer& peer) const noexcept {
        return peer.slot < of_slots_.size() && of_slots_[peer.slot].jobs != 0;
    }
    /// Nothing that is queued is of use any more: it comes back without having been handled.
    void abandon() noexcept { abandoned_ = true; }

   private:
    struct Waiting {
        std::uint64_t ticket;  // of the peer, which may be gone when its turn comes
        Job job;
    };
    struct OfSlot {
        std::uint64_t ticket = 0;      // of the peer that submitted last
        std::uint64_t last_round = 0;  // of its requests in line
        std::uint32_t jobs = 0;
    };

    void move_line();
    bool move(Waiting& waiting);
    bool give_back(Job& job);
    void work(unsigned worker);

    Host& host_;
    PeerTable& peers_;
    std::vector<OfSlot> of_slots_;                // of peers, by slot
    std::multimap<std::uint64_t, Waiting> line_;  // by round; in one, as they came
    std::uint64_t round_ = 0;                     // of the request that moved on last
    BoundedQueue<Job> queue_;
    std::atomic<bool> abandoned_{false};
    Inbox<Done> done_;
    ThreadGroup threads_;  // last: the threads end before what they use
};

}  // namespace weir::engines
