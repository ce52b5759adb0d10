#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/host.h"
#include "engines/peer/inbox.h"
#include "engines/peer/peer_table.h"
#include "engines/threads/bounded_queue.h"
#include "engines/threads/thread_group.h"
#include "weir/http/handler.h"

namespace weir::engines {

/// Threads that run handlers for a loop, which gets back what each returned. Wakes the loop through
/// a descriptor, once for all that came since it last looked.
class HandlerPool {
   public:
    /// The peer stays in its place until its job has come back: the handler may ask for its origin.
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

    /// Where the queue is full, the request stands in line. One that is not awaited any more when its
    /// turn comes is not handled: it comes back with a reply that will be dropped.
    void submit(Peer& peer, std::shared_ptr<const http::Request> request);
    /// Readable while there is something to collect.
    int fd() const noexcept { return done_.fd(); }
    /// What has come back left room for those in line. Whoever takes it counts down its peer's
    /// `handlers`, one by one: a peer may have several, and goes with the last.
    std::vector<Done> collect();
    /// Nobody waits for what is still queued: it comes back without having been handled.
    void abandon() noexcept { abandoned_ = true; }

   private:
    void move_line();
    void work(unsigned worker);

    Host& host_;
    PeerTable& peers_;
    std::deque<std::pair<std::uint64_t, Job>> line_;  // with tickets
    BoundedQueue<Job> queue_;
    std::atomic<bool> abandoned_{false};
    Inbox<Done> done_;
    ThreadGroup threads_;  // last: the threads end before what they use
};

}  // namespace weir::engines
