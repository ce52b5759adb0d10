// thread-per-connection: accept a connection, start a thread that serves it to its end.
//
// Who waits:          a thread for each connection, in poll(2); one more accepts.
// Where handlers run: on the connection's thread. A handler may block: only its own peer waits.
// What is shared:     nothing between connections, not even a buffer or a workspace. The scheduler
//                     does the work of an event loop.
// An idle connection: a thread. It touches some 20 KB of its stack (ThreadGroup::stack_bytes of
//                     address space), the receive buffer included; the kernel keeps about as much.
// Calls per request:  poll, recv, send, as in `blocking`, and two switches between threads. For
//                     each connection also the start and the end of a thread, some 20 microseconds.
//
// Where it breaks: at thousands of connections, in memory and in the scheduler's caches. At tens of
// thousands the system refuses more threads (EAGAIN: RLIMIT_NPROC, pids.max, vm.max_map_count).
// Then the accepted connection waits until a thread ends, and the others wait in the listener's
// queue.
//
// When it is right: handlers that block (on a database, a disk), and hundreds of connections.
//
// Read beside `blocking`: admit() differs, and the service belongs to the thread.

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
#include "engines/threads/thread_group.h"
#include "net/accept.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using Service = BlockingService<16 * 1024>;

class ThreadPerConnection {
   public:
    explicit ThreadPerConnection(Host& host)
        : host_{host},
          limit_{host.options.connections_max, host.options.connections_per_address_max} {}

    std::error_code open() {
        if (const auto error = threads_.try_one()) return error;
        if (const auto error = limit_.evictions().open()) return error;
        return limit_.open();
    }

    void run() {
        while (auto accepted = acceptor_.next()) admit(*accepted);
    }

   private:
    void admit(Accepted& accepted) try {
        const net::PeerAddress address = accepted.peer;
        std::move_only_function<void()> work = [this, connection = std::move(accepted)]() mutable {
            serve(connection);
            limit_.release(connection.peer);
        };
        if (const auto error = threads_.start(work)) troubles().note(trouble_of(error));
        while (work && acceptor_.may_go_on()) {
            acceptor_.pause();
            static_cast<void>(threads_.start(work));
        }
        if (work) limit_.release(address);  // the stop came before there was a thread
    } catch (const std::bad_alloc&) {       // the connection closes
        troubles().note(Trouble::memory);
        limit_.release(accepted.peer);
        acceptor_.pause();
    }

    void serve(Accepted& accepted) try {
        Service service{host_, {}, &limit_.evictions()};  // on the thread's stack
        if (Peer* const peer = service.begin(accepted)) drive(*peer, service);
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
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
    ThreadGroup threads_;  // last: the threads end before the members that they use
};

}  // namespace

std::error_code run_thread_per_connection(Host& host) {
    ThreadPerConnection engine{host};
    if (const auto error = engine.open()) return error;
    if (host.opened) host.opened();
    engine.run();
    return {};
}

}  // namespace weir::engines
