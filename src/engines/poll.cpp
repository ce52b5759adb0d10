// poll: one thread, all connections, poll(2).
//
// Who waits:          one thread, in poll(2), for all sockets at once. In every turn it passes the
//                     kernel the whole list of sockets, with the events that it wants of each. The
//                     kernel reports states (levels), as in `epoll-level`.
// Where handlers run: inline, on that thread. A handler that blocks, blocks all connections.
// What is shared:     one receive buffer and one workspace. Connections use them one after the
//                     other: take_ownership() comes before the loop turns to the next.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines, a pollfd; no
//                     buffer.
// Calls per request:  recv and send, and a share of a poll that reports many sockets at once. To
//                     watch a socket for other events costs a store into the list, and no call.
//
// Where it breaks: a turn costs as much as there are connections, busy or not. For each, the kernel
// copies its entry in and out, and joins and leaves the socket's queue of waiters; then the loop
// looks through the list. With some 10,000 idle connections each turn costs a millisecond, and one
// request may have to pay for it alone. The one thread uses one core.
//
// When it is right: hundreds of connections, most of them busy, or systems that have no epoll.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engines/entry_points.h"
#include "engines/loop/loop_connections.h"
#include "engines/loop/loops.h"
#include "engines/peer/poll.h"

namespace weir::engines {
namespace {

using http::Step;

class Poll : public LoopHooks {
   public:
    Poll(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : host_{host}, connections_{host, limit, source} {
        watched_.resize(first_peer_, nobody);
        watched_[completions].fd = connections_.run_queue().completions()->fd();
    }

    void run() {
        while (!connections_.are_done()) {
            watch_what_is_not_a_peer();
            const int ready = engines::poll(watched_, connections_.time_to_wait());
            connections_.begin_turn(*this);
            take_events(ready);
            connections_.end_turn(*this);
        }
    }

    void reserve_for(const Peer& peer) {
        const std::size_t places = first_peer_ + peer.slot + 1;
        if (places > watched_.capacity()) watched_.reserve(2 * places);
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
        watch(peer);
    }

    void forget(Peer& peer) {
        const std::size_t place = first_peer_ + peer.slot;
        if (place < watched_.size()) watched_[place] = nobody;
        while (watched_.size() > first_peer_ && watched_.back().fd < 0) watched_.pop_back();
    }

   private:
    // The order of the list: these, then the listeners, then the peers by their slots.
    enum Place : std::size_t { stop, completions, first_listener };
    static constexpr pollfd nobody{-1, POLLIN, 0};  // poll(2) ignores a negative descriptor
    static constexpr int events_between_looks = 256;

    /// Only the events that this connection can use may bring the loop back to it. Errors always
    /// do.
    void watch(Peer& peer) {
        const Step step = peer.connection->step();
        const int for_bytes = http::reads(step) ? POLLIN : 0;
        const int for_space = http::sends(step) ? POLLOUT : 0;
        const std::size_t place = first_peer_ + peer.slot;
        if (place >= watched_.size()) watched_.resize(place + 1, nobody);
        watched_[place] = {peer.socket.get(), static_cast<short>(for_bytes | for_space), 0};
    }

    void watch_what_is_not_a_peer() {
        const Acceptor& acceptor = connections_.acceptor();
        watched_[stop].fd = connections_.stop_fd();
        for (std::size_t i = first_listener; i < first_peer_; ++i)
            watched_[i].fd =
                acceptor.is_paused() ? -1 : acceptor.listeners()[i - first_listener].fd();
    }

    void take_events(int ready) {
        for (std::size_t place = 0; ready > 0 && place < watched_.size(); ++place) {
            const auto events = static_cast<std::uint16_t>(watched_[place].revents);
            if (events == 0) continue;
            watched_[place].revents = 0;
            take(place, events);
            if (--ready > 0 && ready % events_between_looks == 0) look_up();
        }
    }

    /// Thousands of sockets may be ready at once. Meanwhile time passes, and more clients connect.
    void look_up() {
        connections_.read_clock();
        connections_.acceptor().note_arrivals();
        connections_.accept(*this);
    }

    void take(std::size_t place, std::uint32_t events) {
        if (place == stop) return;  // each turn reads its state
        if (place == completions) return connections_.run_queue().note_completions();
        if (place < first_peer_) return connections_.acceptor().note_arrivals();
        Peer* const peer = connections_.peers().at(static_cast<std::uint32_t>(place - first_peer_));
        if (!peer) return;  // the stop has closed the peer in this turn
        peer->note(events);
        drive(*peer);
    }

    Host& host_;
    LoopConnections connections_;
    const std::size_t first_peer_ = first_listener + host_.listeners.size();
    std::vector<pollfd> watched_;
};

}  // namespace

std::error_code run_poll(Host& host) { return run_loop(host, loop_of<Poll>); }

}  // namespace weir::engines
