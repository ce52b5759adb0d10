// select: one thread, as many connections as there are bits in a set, select(2).
//
// Who waits:          one thread, in select(2), for all sockets at once. It passes the kernel two
//                     sets of bits: the sockets to read from, and the sockets to write to. The
//                     kernel returns the sets with only the bits of the ready sockets. It reports
//                     states (levels), as in `poll`.
// Where handlers run: inline, on that thread. A handler that blocks, blocks all connections.
// What is shared:     one receive buffer and one workspace. Connections use them one after the
//                     other: take_ownership() comes before the loop turns to the next.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines, two bits and a
//                     pointer; no buffer.
// Calls per request:  recv and send, and a share of a select that reports many sockets at once. The
//                     sets are kept up to date by a store, and copied for each turn: 128 bytes
//                     each.
//
// Where it breaks: a set has FD_SETSIZE bits, 1,024, whatever the system's limits are. The bit of a
// higher descriptor would be written behind the set, so a connection that gets one is turned away.
// A turn costs as much as the highest descriptor. select can't watch for errors alone: if a peer
// vanishes while its handler runs, the loop learns it only when the request goes on
// (fail_if_reset), or when it sends the response. The one thread uses one core.
//
// When it is right: on systems with nothing better. Every system that has sockets has select(2).
//
// A new connection may have to wait up to 2 ms before it is accepted, as in all loops: acceptor.h
// in engines/loop says why.

#include "engines/entry_points.h"
#include "engines/loop/loops.h"
#include "engines/loop/select_connections.h"

namespace weir::engines {
namespace {

using http::Step;

class Select : public LoopHooks {
   public:
    Select(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : host_{host}, connections_{host, limit, source} {}

    std::error_code open() { return connections_.open(); }

    void run() {
        while (!connections_.are_done()) {
            const int ready = connections_.wait();
            connections_.begin_turn(*this);
            connections_.take(ready, *this);
            connections_.end_turn(*this);
        }
    }

    void on_accepted(Peer& peer) {
        connections_.turn_away_unless_watchable(peer);
        drive(peer);
    }

    void drive(Peer& peer) {
        const Now now = connections_.now();
        Turn turn;
        while (turn.goes_on()) {
            switch (peer.connection->step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive: turn.count(receive(peer, connections_.buffer(), now)); break;
                case Step::handle: handle(peer, host_.handler, now); break;
                case Step::wait: turn.count(fail_if_reset(peer, now)); break;
                case Step::transmit: turn.count(transmit(peer, now)); break;
                case Step::exchange: turn.count(exchange(peer, connections_.buffer(), now)); break;
                case Step::close: return connections_.close(peer, *this);
            }
        }
        connections_.rest(peer, turn, *this);
        watch(peer);
    }

    void forget(Peer& peer) { connections_.unwatch(peer); }

   private:
    /// Only the events that this connection can use may bring the loop back to it: two bits.
    void watch(Peer& peer) {
        const Step step = peer.connection->step();
        connections_.watch(peer, http::reads(step), http::sends(step));
    }

    Host& host_;
    SelectConnections connections_;
};

}  // namespace

std::error_code run_select(Host& host) { return run_loop(host, loop_of<Select>); }

}  // namespace weir::engines
