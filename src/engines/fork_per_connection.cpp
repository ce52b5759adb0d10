// fork-per-connection: accept a connection, fork a process that serves it to its end.
//
// Who waits:          a process for each connection, in poll(2); one more accepts.
// Where handlers run: in the connection's process. A handler may block, leak, or crash: only its
//                     own peer suffers, and the system cleans up.
// What is shared:     no memory that is written to. Each process has a copy of the parent's memory
//                     at the time of the fork: the kernel copies a page when it is written to. Data
//                     that a handler stores are unknown to the handler of the next connection. Only
//                     the stop signal reaches all processes.
// An idle connection: a process: its page tables and the pages that it has written, some 200 KB.
// Calls per request:  poll, recv, send, as in `blocking`, and two switches between processes. For
//                     each connection also a fork, an exit and a wait, some 400 microseconds. They
//                     grow with the memory of the process, because fork copies its page tables.
//
// Where it breaks: at short connections, long before the system runs out of processes (EAGAIN:
// RLIMIT_NPROC, pids.max). Then the accepted connection waits until a process ends, and the others
// wait in the listener's queue. Handlers must not need the other threads of the program: fork(2)
// copies the calling thread alone.
//
// When it is right: handlers that can't be trusted with a process that others need; long
// connections.
//
// Read beside `thread-per-connection`: here a process takes the place of the thread, and the parent
// reaps its children.

#include <cerrno>
#include <functional>
#include <new>
#include <system_error>

#include "base/troubles.h"
#include "engines/entry_points.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/peer.h"
#include "engines/peer/poll.h"
#include "engines/peer/transfer.h"
#include "engines/processes/children.h"
#include "engines/threads/blocking_acceptor.h"
#include "engines/threads/blocking_service.h"
#include "net/accept.h"
#include "net/child.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using Service = BlockingService<16 * 1024>;

class ForkPerConnection {
   public:
    explicit ForkPerConnection(Host& host)
        : host_{host},
          limit_{host.options.connections_max, host.options.connections_per_address_max} {}

    std::error_code open() {
        if (const auto error = try_one()) return error;
        if (const auto error = children_.open(host_.housekeeping.fd, host_.figures)) return error;
        if (const auto error = limit_.evictions().open()) return error;
        return limit_.open();
    }

    void run() {
        while (auto accepted = acceptor_.next(children_.fd())) {
            reap_children();
            if (accepted->kind == Accepted::Kind::connection) admit(*accepted);
        }
        wait_for_children();
    }

   private:
    /// Forks one child that does nothing: a server that can't have a process should not start.
    std::error_code try_one() {
        net::UniqueFd nothing_given;
        auto child = net::Child::start(host_.stop, net::Child::Terminated::by_parent, nothing_given,
                                       [] { return 0; });
        if (!child) return child.error();
        child->reap();
        return {};
    }

    void admit(Accepted& accepted) try {
        const std::function<int()> work = [&] { return serve_as_child(accepted); };
        bool is_noted = false;
        while (const auto error =
                   children_.start(host_.stop, accepted.socket, work, accepted.peer)) {
            if (!std::exchange(is_noted, true)) troubles().note(trouble_of(error));
            if (!acceptor_.may_go_on() || error == net::Child::killed_at_birth)
                return limit_.release(accepted.peer);  // a killed child may have taken bytes
            acceptor_.pause();
            reap_children();
        }
    } catch (const std::bad_alloc&) {  // the connection closes
        troubles().note(Trouble::memory);
        limit_.release(accepted.peer);
    }

    int serve_as_child(Accepted& accepted) {
        for (auto& listener : host_.listeners) listener.close();  // only the parent accepts
        const std::function<int()> serve = [&] { return serve_one(accepted); };
        return host_.within_process ? host_.within_process(Process::connection, serve) : serve();
    }

    int serve_one(Accepted& accepted) try {
        Service service{host_, {}, &limit_.evictions()};
        if (Peer* const peer = service.begin(accepted)) drive(*peer, service);
        return 0;
    } catch (const std::bad_alloc&) {
        return ENOMEM;
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

    void reap_children() {
        children_.reap(host_.report,
                       [this](const net::PeerAddress& peer) { limit_.release(peer); });
        if (children_.other_is_readable()) host_.housekeeping.run();
    }

    /// The children share the stop signal, and know when its timeout is over. A child whose handler
    /// does not return is killed, which is impossible with a thread.
    void wait_for_children() {
        while (children_.size() > 0) {
            pollfd watched{children_.fd(), POLLIN, 0};
            constexpr int look_again_milliseconds = 1'000;
            const int ready = engines::poll({&watched, 1}, look_again_milliseconds);
            if (ready == 0 && !acceptor_.may_go_on()) children_.kill();
            reap_children();
        }
    }

    Host& host_;
    ConnectionLimit limit_;
    BlockingAcceptor acceptor_{host_, limit_};
    Children children_;
};

}  // namespace

std::error_code run_fork_per_connection(Host& host) {
    ForkPerConnection engine{host};
    if (const auto error = engine.open()) return error;
    if (host.opened) host.opened();
    engine.run();
    return {};
}

}  // namespace weir::engines
