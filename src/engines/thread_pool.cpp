// thread-pool: accept a connection, queue it, and let one of N threads serve it to its end.
//
// Who waits:          N threads (--workers), in poll(2), each for one socket at a time; a thread
//                     without a connection waits for the queue. One more thread accepts.
// Where handlers run: on the worker's thread. A handler may block: the N - 1 others go on.
// What is shared:     the queue of accepted connections, with a mutex and two condition variables.
//                     A worker that finds it empty waits for `not_empty`. The acceptor, if it finds
//                     the queue full (--queue), waits for `not_full`. Meanwhile new connections
//                     wait in the listener's backlog, where they take no memory of the server.
//                     With --queue-delay, connections that all wait too long get a 503.
// An idle connection: a worker; one that is queued, a socket. If the queue has more connections
//                     than there are idle workers, a connection that has had its worker for a fifth
//                     of a second ends after the request in hand, and peers that are silent or slow
//                     are cut soon after (see PeerTimeSlice).
// Calls per request:  poll, recv, send, as in `thread-per-connection`. For each connection a lock
//                     and a switch, in place of the start and the end of a thread.
//
// Where it breaks: N slow peers keep all others waiting, as one peer does in `blocking`, until they
// are cut: 0.4 s for a head, 1.2 s for a transfer that stands still. M of them keep others waiting
// M / N times as long. N transfers that keep pace are not cut, however long they take. N is chosen
// once, and is wrong for some load: too small for handlers that wait, too large for handlers that
// compute.
//
// When it is right: handlers that block, for about as long each, with a limit on how many may.
//
// Read beside `thread-per-connection`: admit() differs, and the workers stay.

#include <algorithm>
#include <functional>
#include <new>
#include <system_error>
#include <utility>

#include "base/troubles.h"
#include "engines/entry_points.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/peer.h"
#include "engines/peer/transfer.h"
#include "engines/threads/blocking_acceptor.h"
#include "engines/threads/blocking_service.h"
#include "engines/threads/bounded_queue.h"
#include "engines/threads/queue_delay.h"
#include "engines/threads/thread_group.h"
#include "net/accept.h"
#include "net/event_fd.h"
#include "net/stop_signal.h"
#include "net/system/cores.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using Service = BlockingService<16 * 1024>;

class ThreadPool {
   public:
    explicit ThreadPool(Host& host)
        : host_{host},
          limit_{host.options.connections_max, host.options.connections_per_address_max},
          delay_{host.options.queue_delay_max},
          queue_{std::max(host.options.queue_max, 1U), host.figures, &more_work_} {}
    ~ThreadPool() { queue_.close(); }

    std::error_code open() {
        for (unsigned worker = 0; worker < host_.options.blocking_worker_count(); ++worker) {
            std::move_only_function<void()> work = [this, worker] { serve_queue(worker); };
            if (const auto error = threads_.start(work)) return error;
        }
        if (const auto error = limit_.evictions().open()) return error;
        return limit_.open();
    }

    void run() {
        while (auto accepted = acceptor_.next()) admit(*accepted);
    }

   private:
    struct Queued {
        Accepted accepted;
        Instant at;
    };

    /// Waits while the queue is full. A stop ends this wait, too: the workers retire their
    /// connections, and take others out of the queue.
    void admit(Accepted& accepted) try {
        queue_.push({std::move(accepted), delay_.now()});
    } catch (const std::bad_alloc&) {  // the connection closes
        troubles().note(Trouble::memory);
        limit_.release(accepted.peer);
        acceptor_.pause();
    }

    /// A thread that has no memory for its service tries again.
    void serve_queue(unsigned worker) {
        const net::PinnedToCore pinned{host_.options.pin, worker};
        while (!serve_queue()) ConnectionLimit::back_off();
    }

    bool serve_queue() try {
        Service service{host_, {.queue_fd = more_work_.fd()}, &limit_.evictions()};  // on its stack
        while (auto next = queue_.pop()) {
            const BusyWorker busy{host_.figures};
            if (Peer* const peer = service.begin(next->accepted)) {
                if (delay_.is_too_long(next->at)) turn_away(*peer, service);
                drive(*peer, service);
            }
            limit_.release(next->accepted.peer);
        }
        return true;
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        return host_.stop.state() != net::StopSignal::State::running;
    }

    static void turn_away(Peer& peer, Service& service) {
        troubles().note(Trouble::queue_delay);
        peer.connection->turn_away(service.wait.read_clock());
    }

    void drive(Peer& peer, Service& service) {
        for (;;) {
            switch (peer.connection->step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive: service.wait.receive(peer); break;
                case Step::handle: handle(peer, host_.handler, service.wait.read_clock()); break;
                case Step::wait: service.wait.await_answer(peer); break;
                case Step::transmit: service.wait.transmit(peer); break;
                case Step::exchange: service.wait.exchange(peer); break;
                case Step::close: return service.end();
            }
        }
    }

    Host& host_;
    ConnectionLimit limit_;
    BlockingAcceptor acceptor_{host_, limit_};
    net::EventFd more_work_;
    QueueDelay delay_;
    BoundedQueue<Queued> queue_;
    ThreadGroup threads_;  // last: the threads end before the members that they use
};

}  // namespace

std::error_code run_thread_pool(Host& host) try {
    ThreadPool engine{host};
    if (const auto error = engine.open()) return error;
    if (host.opened) host.opened();
    engine.run();
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
