// epoll-workers: one thread accepts, and deals the connections out to N epoll-edge loops.
//
// Who waits:          N threads (--workers), each in its own epoll_wait(2); one more accepts.
// Where handlers run: inline, on the loop that owns the connection.
// What is shared:     the count of connections, and an inbox per loop: a lock for the moment in which
//                     a connection is handed over. From then on it belongs to its loop.
// An idle connection: as in `epoll-edge`.
// Calls per request:  as in `epoll-edge`; for each connection poll and accept4 on the acceptor's
//                     thread, a write to wake its loop, and a read there, each for many in a rush.
//
// Where it breaks: connections that live for one request pay for two threads, and one thread accepts
// for all. Turns are fair by number, not by weight: a loop may get all the busy ones.
//
// When it is right: few connections that stay. Four of them on four loops are one each, which the
// hash of `per-core` doesn't promise; and it needs no listener of its own for each loop, which not
// every system shares out between them.
//
// Read beside `per-core`, whose kernel deals, and `thread-per-connection`, whose acceptor this is.

#include <deque>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engines/entry_points.h"
#include "engines/loop/epoll_loop.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/inbox.h"
#include "engines/threads/blocking_acceptor.h"
#include "net/accept.h"
#include "net/cores.h"

namespace weir::engines {
namespace {

using net::Accepted;

class EpollWorkers {
   public:
    explicit EpollWorkers(Host& host) : host_{host}, limit_{host.options.connections_max} {}
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
        return {};
    }

    std::error_code run() {
        try {
            for (unsigned worker = 0; worker < loops_.size(); ++worker)
                threads_.emplace_back([this, worker] { run_one(worker); });
        } catch (const std::system_error& no_thread) {
            host_.stop.request_now();
            return no_thread.code();
        }
        while (auto accepted = acceptor_.next()) admit(*accepted);
        return {};
    }

   private:
    void run_one(unsigned worker) {
        const net::PinnedToCore pinned{host_.options.pin, worker};
        loops_[worker]();
    }

    void admit(Accepted& accepted) {
        auto& inbox = inboxes_[next_++ % inboxes_.size()];
        if (!inbox.put(std::move(accepted))) limit_.release();  // its loop was cut
    }

    Host& host_;
    ConnectionLimit limit_;
    BlockingAcceptor acceptor_{host_, limit_};
    std::deque<Inbox<Accepted>> inboxes_;  // of each loop; they stay where they are
    std::vector<std::move_only_function<void()>> loops_;
    std::vector<std::thread> threads_;
    std::size_t next_ = 0;
};

}  // namespace

std::error_code run_epoll_workers(Host& host) try {
    EpollWorkers engine{host};
    if (const auto error = engine.open()) return error;
    return engine.run();
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
