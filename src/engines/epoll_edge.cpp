// epoll-edge: one thread, all connections, edge-triggered epoll(7).
//
// Who waits:          one thread, in epoll_wait(2), for all sockets at once. The kernel reports
//                     changes (edges), not states: a socket is reported once when it becomes
//                     readable, and not again until it was emptied and new bytes come.
// Where handlers run: inline, on that thread. A handler that blocks, blocks all connections.
// What is shared:     one receive buffer and one workspace. Connections use them one after the
//                     other: take_ownership() comes before the loop turns to the next.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines; no buffer.
// Calls per request:  recv and send, and a share of an epoll_wait that reports many sockets at
//                     once. A short read has emptied the socket, so no second read is needed to get
//                     EAGAIN. epoll_ctl once in a connection's life, and once more if its peer
//                     reads slowly; never if it ends in its first turn.
//
// Where it breaks: an edge that is forgotten never comes back. So the peer's hints keep the
// kernel's report until a system call proves otherwise, and a peer whose turn is over waits in
// RunQueue for the next. The one thread uses one core.
//
// When it is right: many connections, short handlers, one core. `per-core` runs one loop per core.

#include <cstdint>

#include "engines/entry_points.h"
#include "engines/loop/epoll_connections.h"
#include "engines/loop/epoll_loop.h"
#include "engines/loop/loops.h"

namespace weir::engines {
namespace {

using http::Step;

class EpollEdge : public LoopHooks {
   public:
    EpollEdge(Host& host, ConnectionLimit& limit, ConnectionSource source)
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
    /// The kernel announces changes, so the socket is watched for bytes once and for good. The
    /// socket is watched for space after the first send that found none, because most peers never
    /// let it run out.
    void watch(Peer& peer) {
        const std::uint32_t for_bytes = EPOLLIN | EPOLLRDHUP;
        const std::uint32_t for_space = peer.writable ? peer.watched_for & EPOLLOUT : EPOLLOUT;
        connections_.watch(peer, EPOLLET | for_bytes | for_space, *this);
    }

    Host& host_;
    EpollConnections connections_;
};

}  // namespace

/// Opens this loop, for the engines that run several of them.
std::expected<Loop, std::error_code> open_epoll_loop(Host& host, ConnectionLimit& limit,
                                                     ConnectionSource source) {
    return loop_of<EpollEdge>(host, limit, source);
}

std::error_code run_epoll_edge(Host& host) { return run_loop(host, open_epoll_loop); }

}  // namespace weir::engines
