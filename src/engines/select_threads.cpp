// select-threads: select(2) reports the ready peers, and a thread is started for each turn.
//
// Who waits:          one thread, in select(2), for all sockets at once, as in `select`. The loop
//                     hands a ready peer to a new thread, until the thread would block or the
//                     peer's turn is over.
// Where handlers run: on that thread. A handler may block: only its own peer waits.
// What is shared:     nothing between two connections. A connection belongs to the loop, or is
//                     detached and belongs to a thread, never to both. Meanwhile the loop keeps its
//                     completions.
// An idle connection: as in `select`, and a workspace of its own: another thread may serve it next,
//                     and continue a response that was sent in part. At least 4 KB, for its output.
// Calls per request:  recv, send, select twice; a write to give the connection back, and a read
//                     there; and the cost of a thread: clone3, and eight calls as it starts and
//                     ends. These take 30 microseconds and more. A thread that stays pays them
//                     once.
//
// Where it breaks: a thread for each turn costs more than most requests. A set has FD_SETSIZE bits,
// as in `select`: a connection past them is turned away. If there is no thread (EAGAIN), the loop
// tries again a little later. Neither its deadline nor the stop can cut a handler that blocks.
//
// When it is right: to be compared. It takes threads only for peers that are ready, not for idle
// ones, but it takes a new one each time. `thread-pool` keeps the threads, and `reactor` keeps the
// loop.

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <deque>
#include <functional>
#include <new>
#include <span>
#include <system_error>
#include <utility>

#include "base/troubles.h"
#include "engines/entry_points.h"
#include "engines/loop/loops.h"
#include "engines/loop/select_connections.h"
#include "engines/peer/inbox.h"
#include "engines/threads/thread_group.h"
#include "net/clock.h"

namespace weir::engines {
namespace {

using http::Step;

class SelectThreads : public LoopHooks {
   public:
    SelectThreads(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : host_{host}, connections_{host, limit, source} {}

    std::error_code open() {
        if (!connections_.watch(returns_.fd())) return {EMFILE, std::generic_category()};
        if (const auto error = threads_.try_one()) return error;
        return connections_.open();
    }

    void run() {
        while (!connections_.are_done()) {
            const int ready = connections_.wait();
            connections_.begin_turn(*this);
            if (ready > 0 && connections_.is_readable(returns_.fd())) reattach();
            connections_.take(ready, *this);
            connections_.end_turn(*this);
        }
    }

    /// A new peer gets a thread once it has sent bytes, or if its connection has bytes to send.
    void on_accepted(Peer& peer) {
        connections_.turn_away_unless_watchable(peer);
        peer.connection->step() == Step::receive ? rest(peer) : detach(peer);
    }

    /// The loop drives no peer itself.
    void drive(Peer& peer) { detach(peer); }

    void forget(Peer& peer) { connections_.unwatch(peer); }

    http::Workspace& workspace_for(const Peer& peer, http::Workspace& /*shared*/) {
        while (workspaces_.size() <= peer.slot)
            workspaces_.emplace_back(host_.limits, host_.timeouts, host_.observer);
        return workspaces_[peer.slot];
    }

   private:
    static constexpr std::size_t receive_bytes = 16 * 1024;

    struct Return {
        Peer& peer;
        bool goes_on;  // there is more to do at once
        bool told;     // the connection knew of the stop when it was detached
    };

    // ---- on the loop's thread ----

    /// The peer belongs to a thread until reattach().
    void detach(Peer& peer) {
        // Each wake-up detaches the peer at once. If wake-ups come without end, the loop checks the
        // deadline nowhere else, and select(2) never reports the peer's bytes. Bytes that have come are
        // read first: the loop may be late, not the peer.
        if (!connections_.is_readable(peer.socket.get()) &&
            connections_.now().instant >= peer.connection->deadline())
            engines::expire(*peer.connection, peer.socket.get(), connections_.now());
        if (peer.connection->step() == Step::close) return connections_.close(peer, *this);
        peer.connection->take_ownership(connections_.now());
        if (http::reads(peer.connection->step())) peer.readable = true;
        connections_.unwatch(peer);
        connections_.run_queue().detach(peer);
        const bool told = connections_.is_stopping();
        const auto error = start(peer, told);
        if (!error) return;
        troubles().note(trouble_of(error));
        connections_.run_queue().reattach(peer);
        if (has_left(peer))
            peer.connection->fail(http::Outcome::peer_gone, connections_.now());
        else
            fail_if_reset(peer, connections_.now());
        if (peer.connection->step() == Step::close) return connections_.close(peer, *this);
        connections_.run_queue().watch_deadline(
            peer, connections_.now().instant + ConnectionLimit::pause);
    }

    /// If there is no thread for the peer, the loop checks whether it has left, or was reset. A
    /// thread may need the memory of such a peer.
    static bool has_left(const Peer& peer) noexcept {
        char byte = 0;
        return peer.connection->close_impact() == http::CloseImpact::idle &&
               ::recv(peer.socket.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    }

    std::error_code start(Peer& peer, bool told) try {
        std::move_only_function<void()> work = [this, &peer, told] { serve(peer, told); };
        return threads_.start(work);
    } catch (const std::bad_alloc&) {
        return std::make_error_code(std::errc::not_enough_memory);
    }

    void reattach() {
        for (const auto& [peer, goes_on, told] : returns_.collect()) {
            connections_.run_queue().reattach(peer);
            if (goes_on) peer.readable = true;  // select(2) does not watch it between two turns
            if (connections_.is_cutting())
                connections_.cut(peer, *this);
            else if (connections_.is_stopping() && !told)
                connections_.retire(peer, *this);
            else if (goes_on)
                connections_.run_queue().postpone(peer);  // behind its completions
            else
                rest(peer);
        }
    }

    /// Only the events that this connection can use may bring the loop back to it.
    void rest(Peer& peer) {
        const Step step = peer.connection->step();
        connections_.run_queue().watch_deadline(peer);
        connections_.watch(peer, http::reads(step), http::sends(step));
    }

    // ---- on a thread of its own ----

    void serve(Peer& peer, bool told) {
        std::array<char, receive_bytes> buffer;
        bool goes_on = drive(peer, buffer);
        if (peer.connection->take_ownership(net::read_clock())) goes_on = true;
        returns_.put_surely({peer, goes_on, told});
    }

    /// Returns whether there is more to do at once.
    bool drive(Peer& peer, std::span<char> buffer) {
        Turn turn;
        while (turn.goes_on()) {
            const Now now = net::read_clock();
            switch (peer.connection->step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive: turn.count(receive(peer, buffer, now)); break;
                case Step::handle: handle(peer, host_.handler, now); break;
                case Step::wait: turn.count(fail_if_reset(peer, now)); break;
                case Step::transmit: turn.count(transmit(peer, now)); break;
                case Step::exchange: turn.count(exchange(peer, buffer, now)); break;
                case Step::close: return true;
            }
        }
        return turn.is_used_up();
    }

    Host& host_;
    std::deque<http::Workspace> workspaces_;  // by the slot of the peer; outlive it
    SelectConnections connections_;
    Inbox<Return> returns_;
    ThreadGroup threads_;  // last: the threads end before the members that they use
};

}  // namespace

std::error_code run_select_threads(Host& host) { return run_loop(host, loop_of<SelectThreads>); }

}  // namespace weir::engines
