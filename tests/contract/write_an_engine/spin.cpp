// spin: one thread, all connections, and no poller: it tries every socket in every turn.
//
// Who waits:          nobody. The thread goes round and asks each socket.
// Where handlers run: inline, on that thread. A handler that blocks, blocks all others.
// What is shared:     one receive buffer and one workspace, by all connections, one after the other.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines; no buffer. And a
//                     recv(2) in every turn.
// Calls per request:  recv and send, and a recv in vain for each connection and each turn.
//
// Where it breaks: it takes a whole core, whether there is work or not, and a turn is as long as there
// are connections.
//
// When it is right: never; it shows what a poller is for.

#include <sched.h>
#include <sys/socket.h>

#include <cerrno>

#include "engines/entry_points.h"
#include "engines/loop/loop_connections.h"
#include "engines/loop/loops.h"

namespace weir::engines {
namespace {

using http::Step;

class Spin : public LoopHooks {
   public:
    Spin(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : host_{host}, connections_{host, limit, source} {}

    void run() {
        while (!connections_.are_done()) {
            connections_.acceptor().note_arrivals();
            connections_.run_queue().note_completions();
            connections_.begin_turn(*this);
            connections_.peers().each([this](Peer& peer) { try_socket(peer); });
            connections_.end_turn(*this);
            ::sched_yield();
        }
    }

    void on_accepted(Peer& peer) { drive(peer); }

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
    }

   private:
    void try_socket(Peer& peer) {
        peer.readable = peer.writable = true;
        if (peer.connection->step() == Step::wait) look_for_reset(peer);
        drive(peer);
    }

    /// A connection that waits for its handler is not read from. So the socket is asked whether its
    /// peer is still there, and what has come is left where it is.
    static void look_for_reset(Peer& peer) {
        char byte;
        const auto size = ::recv(peer.socket.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        peer.broken = size < 0 && errno != EAGAIN && errno != EINTR;
    }

    Host& host_;
    LoopConnections connections_;
};

}  // namespace

std::error_code run_spin(Host& host) { return run_loop(host, loop_of<Spin>); }

}  // namespace weir::engines
