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
#include "engines/threads/queue_delay.h"
#include "engines/threads/thread_group.h"
#include "weir/base/now.h"
#include "weir/http/handler.h"

namespace weir::engines {

/// Threads that run handlers for a loop, and give their replies back to it. A descriptor wakes the
/// loop, once for all replies since its last collect().
///
/// Requests that find no place in the threads' queue wait in a line. One connection may have many
/// requests there, so peers take turns: the second request of a peer moves on after the first
/// request of every other peer that waits.
class HandlerPool {
   public:
    /// The peer keeps its slot until all its jobs have come back, because a handler may call its
    /// Origin. The request comes back, too, so that the loop's thread is the last to release it.
    struct Job {
        Peer* peer;
        std::shared_ptr<const http::Request> request;
        Instant at;  // when it came
    };
    struct Done {
        Job job;
        http::Reply reply;
    };

    /// Throws std::system_error if the system has no descriptor left.
    HandlerPool(Host& host, PeerTable& peers);
    ~HandlerPool() { queue_.close(); }
    HandlerPool(const HandlerPool&) = delete;
    HandlerPool& operator=(const HandlerPool&) = delete;

    /// Starts the threads.
    std::error_code open();

    // For the loop alone.

    /// If the connection does not await the request any more when its turn comes, the request is
    /// not handled: it comes back with a reply that the connection drops. Throws std::bad_alloc,
    /// and does nothing then.
    void submit(Peer& peer, std::shared_ptr<const http::Request> request);
    /// Readable while there is something to collect.
    int fd() const noexcept { return done_.fd(); }
    /// The jobs that have come back. Requests in line have moved to their places in the queue. The
    /// loop calls let_go() for each job.
    Inbox<Done>::Collected collect();
    /// Returns whether that was the last job of the peer.
    bool let_go(const Peer& peer) noexcept { return --of_slots_[peer.slot].jobs == 0; }
    /// Whether jobs are queued, under way, or without their let_go(); those in line do not count.
    bool has_jobs_of(const Peer& peer) const noexcept {
        return peer.slot < of_slots_.size() && of_slots_[peer.slot].jobs != 0;
    }
    /// Jobs in the queue are of no use any more: they come back without a call of the handler.
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
    http::Reply reply_to(const Job& job);
    void work(unsigned worker);

    Host& host_;
    PeerTable& peers_;
    std::vector<OfSlot> of_slots_;                // of peers, by slot
    std::multimap<std::uint64_t, Waiting> line_;  // by round; within one, in order of arrival
    std::uint64_t round_ = 0;                     // of the request that moved on last
    QueueDelay delay_;
    BoundedQueue<Job> queue_;
    std::atomic<bool> abandoned_{false};
    Inbox<Done> done_;
    ThreadGroup threads_;  // last: the threads end before the members that they use
};

}  // namespace weir::engines
