// thread-pool: accept a connection, queue it, and let one of N threads serve it to its end.
//
// Who waits:          N threads (--workers), in poll(2), each for one socket at a time; those without
//                     a connection wait for the queue. One more accepts.
// Where handlers run: on the worker's thread. A handler may block: N - 1 others go on.
// What is shared:     the queue of accepted connections: a mutex and two condition variables. Who
//                     finds it empty waits for `not_empty`, and who finds it full (--queue) for
//                     `not_full`. That is the acceptor: a full queue stops it, and the rest of the
//                     world waits in the listener's backlog, where it costs nothing here.
// An idle connection: a worker. So a peer that is silent between requests gives way once there is
//                     more in the queue than idle workers (see BlockingWait); one in the queue is a socket.
// Calls per request:  poll, recv, send, as in `thread-per-connection`; and for each connection not
//                     a thread's start and end, but a lock and a switch.
//
// Where it breaks: N slow peers are everybody's problem, as one is in `blocking`. N is chosen once,
// and is wrong for some load: too small for handlers that wait, too large for those that compute.
//
// When it is right: handlers that block, for about as long each, and a limit to how many may.
//
// Read beside `thread-per-connection`: what differs is admit(), and the worker that stays.

#include <poll.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/entry_points.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/peer.h"
#include "engines/peer/transfer.h"
#include "engines/threads/blocking_wait.h"
#include "engines/threads/bounded_queue.h"
#include "engines/threads/thread_group.h"
#include "net/accept.h"
#include "net/cores.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using net::StopSignal;

constexpr std::size_t receive_bytes = 16 * 1024;

/// What belongs to one worker, and lies on its thread's stack.
struct Service {
    Service(Host& host, int somebody_waits)
        : workspace{host.limits, host.timeouts, host.observer}, wait{host, {}, somebody_waits} {}

    http::Workspace workspace;
    BlockingWait wait;
    std::array<char, receive_bytes> buffer;
    std::uint32_t generation = 0;
};

class ThreadPool {
   public:
    explicit ThreadPool(Host& host)
        : host_{host},
          limit_{host.options.connections_max},
          accept_wait_{host},
          queue_{std::max(host.options.queue_max, 1U)} {}
    ~ThreadPool() { queue_.close(); }

    std::error_code open() {
        if (const auto error = queue_.open_event()) return error;
        for (unsigned worker = 0; worker < std::max(host_.options.workers, 1U); ++worker) {
            std::move_only_function<void()> work = [this, worker] { serve_queue(worker); };
            if (const auto error = threads_.start(work)) return error;
        }
        return {};
    }

    void run() {
        while (host_.stop.state() == StopSignal::State::running) {
            wait_for_connections();
            for (auto& listener : host_.listeners) accept_connection(listener);
        }
        for (auto& listener : host_.listeners) accept_queued(listener);
    }

   private:
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

    /// A stop ends this wait as well: it is told to the workers, who make room.
    void admit(Accepted& accepted) { queue_.push(std::move(accepted)); }

    void serve_queue(unsigned worker) {
        const net::PinnedToCore pinned{host_.options.pin, worker};
        const auto service = std::make_unique<Service>(host_, queue_.more_work_fd());
        while (auto accepted = queue_.pop()) {
            serve(*accepted, *service);
            limit_.release();
        }
    }

    void serve(Accepted& accepted, Service& service) {
        Peer peer;
        peer.generation = ++service.generation;
        peer.adopt(accepted, service.wait.completions());
        service.wait.read_clock();
        peer.connection = host_.connect(service.workspace, peer, service.wait.now());
        drive(peer, service);
    }

    void drive(Peer& peer, Service& service) {
        http::Connection& connection = *peer.connection;
        BlockingWait& wait = service.wait;
        for (;;) {
            wait.read_clock();
            switch (connection.step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive:
                    if (!receive(peer, service.buffer, wait.now()))
                        wait.wait_for(peer, POLLIN);
                    else
                        wait.look_around(peer, service.buffer);
                    break;
                case Step::handle: handle(peer, host_.handler, wait.now()); break;
                case Step::wait: wait.wait_for(peer, 0); break;
                case Step::transmit:
                    if (!transmit(peer, wait.now()))
                        wait.wait_for(peer, POLLOUT);
                    else
                        wait.look_around(peer, service.buffer);
                    break;
                case Step::exchange:
                    if (!exchange(peer, service.buffer, wait.now()))
                        wait.wait_for(peer, POLLIN | POLLOUT);
                    else
                        wait.look_around(peer, service.buffer);
                    break;
                case Step::close: return;
            }
        }
    }

    Host& host_;
    ConnectionLimit limit_;
    BlockingWait accept_wait_;
    BoundedQueue<Accepted> queue_;
    ThreadGroup threads_;  // last: the threads end before what they use
};

}  // namespace

std::error_code run_thread_pool(Host& host) {
    const net::SigpipeBlocked sigpipe_blocked;  // the threads inherit it
    ThreadPool engine{host};
    if (const auto error = engine.open()) return error;
    engine.run();
    return {};
}

}  // namespace weir::engines
