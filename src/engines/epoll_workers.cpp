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

#include <poll.h>

#include <algorithm>
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
#include "engines/threads/blocking_wait.h"
#include "net/accept.h"
#include "net/cores.h"

namespace weir::engines {
namespace {

using net::Accepted;
using net::StopSignal;

class EpollWorkers {
   public:
    explicit EpollWorkers(Host& host)
        : host_{host}, limit_{host.options.connections_max}, accept_wait_{host} {}
    ~EpollWorkers() {
        for (auto& inbox : inboxes_) inbox.close();
        for (auto& thread : threads_) thread.join();
    }

    std::error_code open() {
        const unsigned workers = std::max(host_.options.workers, 1U);
        for (unsigned worker = 0; worker < workers; ++worker) {
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
        while (host_.stop.state() == StopSignal::State::running) {
            wait_for_connections();
            for (auto& listener : host_.listeners) accept_connection(listener);
        }
        for (auto& listener : host_.listeners) accept_queued(listener);
        return {};
    }

   private:
    void run_one(unsigned worker) {
        const net::PinnedToCore pinned{host_.options.pin, worker};
        loops_[worker]();
    }

    void wait_for_connections() {
        std::vector<pollfd> watched;
        watched.push_back({host_.stop.descriptor(StopSignal::State::running), POLLIN, 0});
        for (const auto& listener : host_.listeners) watched.push_back({listener.fd(), POLLIN, 0});
        ::poll(watched.data(), watched.size(), -1);
    }

    Accepted::Kind accept_connection(net::Listener& listener) {
        Accepted accepted = limit_.accept(listener);
        if (accepted.kind == Accepted::Kind::connection) admit(accepted);
        if (accepted.kind == Accepted::Kind::exhausted) accept_wait_.pause();
        return accepted.kind;
    }

    /// Those that reached us before the stop are served: the kernel would reset them.
    void accept_queued(net::Listener& listener) {
        for (std::size_t left = listener.queued(); left > 0 && accept_wait_.is_draining();) {
            const auto kind = accept_connection(listener);
            if (kind == Accepted::Kind::none || kind == Accepted::Kind::failed) break;
            if (kind == Accepted::Kind::connection) --left;
        }
        listener.close();
    }

    void admit(Accepted& accepted) {
        auto& inbox = inboxes_[next_++ % inboxes_.size()];
        if (!inbox.put(std::move(accepted))) limit_.release();  // its loop was cut
    }

    Host& host_;
    ConnectionLimit limit_;
    BlockingWait accept_wait_;
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
