// epoll-blocking: epoll(7) over blocking sockets. A common mistake, made on purpose.
//
// Who waits:          one thread, in epoll_wait(2), for all sockets; and, in the middle of a
//                     response, for one socket alone. There are --workers such loops, each with its
//                     own listeners.
// Where handlers run: inline, on that thread. A handler that blocks, blocks its whole loop.
// What is shared:     in a loop, a receive buffer and a workspace; between loops, a count of
//                     connections.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines; no buffer.
// Calls per request:  as in `epoll-level`, and a poll for each send that found no space.
//
// Where it breaks: epoll reports that there are bytes to receive. Nothing reports that there is
// space to send into. If a response does not fit into the socket's buffer, the loop waits until the
// peer reads, and all connections of the loop wait with it. That peer need not be hostile: a phone
// in a train is enough. No error is reported. The server is idle and serves no one, until the
// transmit timer cuts that one peer.
//
// When it is right: never. Small responses hide the mistake until one is large. Compare `transmit`
// in drive() with `epoll-level`. As in `blocking`, poll(2) does the blocking, so that deadlines and
// the stop can end it. More workers make the mistake rarer, not better.

#include <cstdint>

#include "engines/entry_points.h"
#include "engines/loop/epoll_connections.h"
#include "engines/loop/loops.h"
#include "engines/threads/blocking_wait.h"

namespace weir::engines {
namespace {

using http::Step;

class EpollBlocking : public LoopHooks {
   public:
    EpollBlocking(Host& host, ConnectionLimit& limit, ConnectionSource source)
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

    void drive(Peer& peer) {
        Now now = connections_.now();
        Turn turn;
        while (turn.goes_on()) {
            switch (peer.connection->step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive: turn.count(receive(peer, connections_.buffer(), now)); break;
                case Step::handle: handle(peer, host_.handler, now); break;
                case Step::wait: turn.count(fail_if_broken(peer, now)); break;
                case Step::transmit:
                    wait_.transmit(peer);  // all other connections wait, too
                    now = connections_.read_clock();
                    break;
                case Step::exchange:
                    wait_.exchange(peer);
                    now = connections_.read_clock();
                    // While the socket has space, exchange() waits in no poll(2) that would report
                    // bytes.
                    if (peer.writable) peer.readable = true;
                    break;
                case Step::close: return connections_.close(peer, *this);
            }
        }
        connections_.rest(peer, turn, *this);
        watch(peer);
    }

   private:
    /// Everything that was to be sent has been sent, so the socket is watched for bytes alone.
    void watch(Peer& peer) {
        const std::uint32_t for_bytes = peer.connection->step() != Step::wait ? EPOLLIN : 0U;
        connections_.watch(peer, EPOLLERR | for_bytes, *this);
    }

    Host& host_;
    EpollConnections connections_;
    BlockingWait wait_{host_, connections_.buffer()};
};

}  // namespace

/// Runs several of these loops, each with its own listeners. A slow peer keeps a loop from turning,
/// so a loop that does not turn is no fault.
std::error_code run_epoll_blocking(Host& host) {
    host.loop_opened = {};
    return run_loops(host, loop_of<EpollBlocking>);
}

}  // namespace weir::engines
