// thread-per-connection: accept a connection, start a thread that serves it to its end.
//
// Who waits:          a thread for each connection, in poll(2); one more accepts.
// Where handlers run: on the connection's thread. A handler may block: only its own peer waits.
// What is shared:     nothing between connections, not even a buffer or a workspace. The scheduler
//                     does what an event loop would have to be written for.
// An idle connection: a thread. Of its stack (ThreadGroup::stack_bytes of address space) some 20 KB are
//                     touched, receive buffer included; the kernel keeps about as much again.
// Calls per request:  poll, recv, send, as in `blocking`, and two switches between threads. And for
//                     each connection the start and the end of a thread, some 20 microseconds.
//
// Where it breaks: at thousands of connections, in memory, and in the scheduler's caches; at tens
// of thousands the system refuses more threads (EAGAIN: RLIMIT_NPROC, pids.max, vm.max_map_count).
// The connection in hand then waits until a thread ends, and the others in the listener's queue.
//
// When it is right: handlers that block (a database, a disk), connections in the hundreds.
//
// Read beside `blocking`: what differs is admit(), and what moved from the server to the thread.

#include <poll.h>

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "engines/entry_points.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/peer.h"
#include "engines/peer/transfer.h"
#include "engines/threads/blocking_wait.h"
#include "engines/threads/thread_group.h"
#include "net/accept.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using net::StopSignal;

constexpr std::size_t receive_bytes = 16 * 1024;

/// What belongs to one connection, and lies on its thread's stack.
struct Service {
    explicit Service(Host& host)
        : workspace{host.limits, host.timeouts, host.observer}, wait{host} {}

    http::Workspace workspace;
    BlockingWait wait;
    std::array<char, receive_bytes> buffer;
};

class ThreadPerConnection {
   public:
    explicit ThreadPerConnection(Host& host)
        : host_{host}, limit_{host.options.connections_max}, accept_wait_{host} {}

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

    void admit(Accepted& accepted) {
        std::move_only_function<void()> work = [this, connection = std::move(accepted)]() mutable {
            serve(connection);
            limit_.release();
        };
        while (threads_.start(work) && host_.stop.state() == StopSignal::State::running)
            accept_wait_.pause();
        if (work) limit_.release();  // stopped before there was a thread
    }

    void serve(Accepted& accepted) {
        Service service{host_};
        Peer peer;
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
    ThreadGroup threads_;  // last: the threads end before what they use
};

}  // namespace

std::error_code run_thread_per_connection(Host& host) {
    const net::SigpipeBlocked sigpipe_blocked;  // the threads inherit it
    ThreadPerConnection engine{host};
    engine.run();
    return {};
}

}  // namespace weir::engines
