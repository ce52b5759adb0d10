// epoll-level: one thread, all connections, level-triggered epoll(7).
//
// Who waits:          one thread, in epoll_wait(2), for all sockets at once. The kernel reports
//                     states (levels): a readable socket is reported in every turn, until it is
//                     empty or is no longer watched for that.
// Where handlers run: inline, on that thread. A handler that blocks, blocks all connections.
// What is shared:     one receive buffer and one workspace. Connections use them one after the
//                     other: take_ownership() comes before the loop turns to the next.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines; no buffer.
// Calls per request:  recv and send, and a share of an epoll_wait that reports many sockets at
//                     once. epoll_ctl once in a connection's life, and twice for a response that
//                     its peer reads slowly or its handler makes later: to other events, and back.
//
// Where it breaks: a state is reported until it changes, so a loop that ignores it spins. So each
// connection is watched only for the events that its step can use, and for errors alone while it
// waits for its handler. The one thread uses one core.
//
// When it is right: as `epoll-edge`, and easier to get right: an overlooked socket is reported
// again.

#include <cstdint>

#include "engines/entry_points.h"
#include "engines/loop/epoll_connections.h"
#include "engines/loop/loops.h"

namespace weir::engines {
namespace {

using http::Step;

class EpollLevel : public LoopHooks {
   public:
    EpollLevel(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : host_{host}, connections_{host, limit, source} {}

    std::error_code open() { return connections_.open(); }

    void run() {
        while (!connections_.are_done()) {
            const auto events = connections_.wait();
            connections_.begin_turn(*this);
            connections_.take(events, *this);
            connections_.end_turn(*this);
        }
    }

    void on_accepted(Peer& peer) { drive(peer); }

    /// Takes the connection's steps, until its socket allows no more, or its turn is over.
    void drive(Peer& peer) {
        const Now now = connections_.now();
        Turn turn;
        while (turn.goes_on()) {
            switch (peer.connection->step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive: turn.count(receive(peer, connections_.buffer(), now)); break;
                case Step::handle: handle(peer, host_.handler, now); break;
                case Step::wait: turn.count(fail_if_broken(peer, now)); break;
                case Step::transmit: turn.count(transmit(peer, now)); break;
                case Step::exchange: turn.count(exchange(peer, connections_.buffer(), now)); break;
                case Step::close: return connections_.close(peer, *this);
            }
        }
        connections_.rest(peer, turn, *this);
        watch(peer);
    }

   private:
    /// The kernel announces states, so the socket is watched only for those that the connection can
    /// use at its step. Errors are always announced.
    void watch(Peer& peer) {
        const Step step = peer.connection->step();
        const std::uint32_t for_bytes = http::reads(step) ? EPOLLIN : 0U;
        const std::uint32_t for_space = http::sends(step) ? EPOLLOUT : 0U;
        connections_.watch(peer, EPOLLERR | for_bytes | for_space, *this);
    }

    Host& host_;
    EpollConnections connections_;
};

}  // namespace

std::error_code run_epoll_level(Host& host) { return run_loop(host, loop_of<EpollLevel>); }

}  // namespace weir::engines
