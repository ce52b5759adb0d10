// fork-per-connection: accept a connection, fork a process that serves it to its end.
//
// Who waits:          a process for each connection, in poll(2); one more accepts.
// Where handlers run: in the connection's process. A handler may block, leak, or crash: only its
//                     own peer suffers, and the system cleans up.
// What is shared:     nothing that is written to. Each process has a copy of all that was there
//                     when it was forked, page by page as it writes; what a handler learns, the
//                     next connection does not know. The stop signal alone reaches them all.
// An idle connection: a process: its page tables and the pages that it has written, some 200 KB.
// Calls per request:  poll, recv, send, as in `blocking`, and two switches between processes. And
//                     for each connection a fork, an exit and a wait, some 400 microseconds, which
//                     grow with the memory that there is to copy the tables of.
//
// Where it breaks: at connections that come and go, long before it runs out of processes (EAGAIN:
// RLIMIT_NPROC, pids.max). The connection in hand then waits until a process ends, and the others
// in the listener's queue. A program with threads must not need them in a child: fork(2) copies the
// calling one alone.
//
// When it is right: handlers that are not trusted with a process that others need; long connections.
//
// Read beside `thread-per-connection`: a process in place of the thread, and somebody to reap it.

#include <poll.h>

#include <array>
#include <functional>
#include <vector>

#include "engines/entry_points.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/peer.h"
#include "engines/peer/transfer.h"
#include "engines/processes/children.h"
#include "engines/threads/blocking_wait.h"
#include "net/accept.h"
#include "net/clock.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using net::StopSignal;

constexpr std::size_t receive_bytes = 16 * 1024;

/// What belongs to one connection, and lies on its process's stack.
struct Service {
    explicit Service(Host& host)
        : workspace{host.limits, host.timeouts, host.observer}, wait{host} {}

    http::Workspace workspace;
    BlockingWait wait;
    std::array<char, receive_bytes> buffer;
};

class ForkPerConnection {
   public:
    explicit ForkPerConnection(Host& host)
        : host_{host}, limit_{host.options.connections_max}, accept_wait_{host} {}

    std::error_code open() { return children_.open(); }

    void run() {
        while (host_.stop.state() == StopSignal::State::running) {
            wait_for_connections();
            reap_children();
            for (auto& listener : host_.listeners) accept_connection(listener);
        }
        for (auto& listener : host_.listeners) accept_queued(listener);
        wait_for_children();
    }

   private:
    void wait_for_connections() {
        std::vector<pollfd> watched;
        watched.push_back({host_.stop.descriptor(StopSignal::State::running), POLLIN, 0});
        watched.push_back({children_.fd(), POLLIN, 0});
        for (const auto& listener : host_.listeners) watched.push_back({listener.fd(), POLLIN, 0});
        ::poll(watched.data(), watched.size(), -1);
    }

    Accepted::Kind accept_connection(net::Listener& listener) {
        Accepted accepted = limit_.accept(listener);
        if (accepted.kind == Accepted::Kind::connection) admit(accepted);
        if (accepted.kind == Accepted::Kind::exhausted) pause();
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
        const std::function<int()> work = [&] {
            for (auto& listener : host_.listeners) listener.close();
            const std::function<int()> serve_it = [&] { return serve(accepted); };
            return host_.within_process ? host_.within_process(Process::connection, serve_it)
                                        : serve_it();
        };
        std::error_code error;
        while ((error = children_.start(host_.stop, accepted.socket, work)) &&
               is_worth_a_try(error))
            pause();
        if (error) limit_.release();
    }

    bool is_worth_a_try(std::error_code error) {
        const bool wanted =
            host_.stop.state() == StopSignal::State::running || accept_wait_.is_draining();
        return wanted && error != net::Child::killed_at_birth;  // that had the connection's bytes
    }

    int serve(Accepted& accepted) {
        Service service{host_};
        Peer peer;
        peer.adopt(accepted, service.wait.completions());
        service.wait.read_clock();
        peer.connection = host_.connect(service.workspace, peer, service.wait.now());
        drive(peer, service);
        return 0;
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

    void pause() {
        accept_wait_.pause();
        reap_children();
    }

    void reap_children() {
        for (std::size_t ended = children_.reap(host_.report); ended > 0; --ended) limit_.release();
    }

    /// They hear of the stop themselves, and of its timeout. One whose handler never comes back is
    /// killed: what no thread can be is possible here.
    void wait_for_children() {
        while (children_.size() > 0) {
            pollfd watched{children_.fd(), POLLIN, 0};
            constexpr int look_again_milliseconds = 1'000;
            const int ready = ::poll(&watched, 1, look_again_milliseconds);
            if (ready == 0 && !accept_wait_.is_draining()) children_.kill();
            reap_children();
        }
    }

    Host& host_;
    ConnectionLimit limit_;
    BlockingWait accept_wait_;
    Children children_;
};

}  // namespace

std::error_code run_fork_per_connection(Host& host) {
    const net::SigpipeBlocked sigpipe_blocked;  // the processes inherit it
    ForkPerConnection engine{host};
    if (const auto error = engine.open()) return error;
    engine.run();
    return {};
}

}  // namespace weir::engines
