// epoll-workers: one thread accepts, and distributes the connections to N epoll-edge loops.
//
// Who waits:          N threads (--workers), each in its own epoll_wait(2); one more accepts.
// Where handlers run: inline, on the loop that owns the connection.
// What is shared:     the count of connections, and an inbox for each loop, with a lock for the
//                     moment in which a connection is handed over. From then on it belongs to its
//                     loop.
// An idle connection: as in `epoll-edge`.
// Calls per request:  as in `epoll-edge`. For each connection poll and accept4 on the acceptor's
//                     thread, a write that wakes its loop, and a read there. In a rush, one write
//                     and one read serve many connections.
//
// Where it breaks: at short connections. Each costs work on two threads, and one thread accepts for
// all loops. The loops get equal numbers of connections, not equal work: one loop may get all the
// busy ones.
//
// When it is right: few connections, which last. Four connections on four loops get one loop each,
// which the hash of `per-core` doesn't promise. The loops share one listener, so it also works
// where the system does not distribute connections between several.
//
// Read beside `per-core`, in which the kernel distributes the connections, and beside
// `thread-per-connection`, which has the same acceptor.

#include <deque>
#include <functional>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/troubles.h"
#include "engines/entry_points.h"
#include "engines/loop/epoll_loop.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/inbox.h"
#include "engines/threads/blocking_acceptor.h"
#include "net/accept.h"
#include "net/system/cores.h"

namespace weir::engines {
namespace {

using net::Accepted;

class EpollWorkers {
   public:
    explicit EpollWorkers(Host& host)
        : host_{host},
          limit_{host.options.connections_max, host.options.connections_per_address_max} {}
    ~EpollWorkers() {
        for (auto& inbox : inboxes_) inbox.close();
        for (auto& thread : threads_) thread.join();
    }

    std::error_code open() {
        for (unsigned left = host_.options.worker_count(); left > 0; --left) {
            auto loop = open_epoll_loop(host_, limit_, inboxes_.emplace_back());
            if (!loop) return loop.error();
            loops_.push_back(std::move(*loop));
        }
        return limit_.open();
    }

    void run() {
        try {
            for (unsigned worker = 0; worker < loops_.size(); ++worker)
                threads_.emplace_back([this, worker] { run_one(worker); });
            if (host_.opened) host_.opened();
        } catch (...) {  // the destructor waits for the threads
            host_.stop.request_now();
            throw;
        }
        while (auto accepted = acceptor_.next()) admit(*accepted);
    }

   private:
    void run_one(unsigned worker) {
        const net::PinnedToCore pinned{host_.options.pin, worker};
        loops_[worker]();
    }

    void admit(Accepted& accepted) {
        auto& inbox = inboxes_[next_++ % inboxes_.size()];
        const net::PeerAddress address = accepted.peer;
        try {
            if (!inbox.put(std::move(accepted))) limit_.release(address);  // its loop was cut
        } catch (const std::bad_alloc&) {
            troubles().note(Trouble::memory);
            limit_.release(address);
            acceptor_.pause();
        }
    }

    Host& host_;
    ConnectionLimit limit_;
    BlockingAcceptor acceptor_{host_, limit_};
    std::deque<Inbox<Accepted>> inboxes_;  // of each loop; a deque does not move them
    std::vector<std::move_only_function<void()>> loops_;
    std::vector<std::thread> threads_;
    std::size_t next_ = 0;
};

}  // namespace

std::error_code run_epoll_workers(Host& host) try {
    EpollWorkers engine{host};
    if (const auto error = engine.open()) return error;
    engine.run();
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
