// coroutines: one thread, all connections, each a coroutine that reads like `blocking`.
//
// Who waits:          one thread, in epoll_wait(2), for all sockets at once, edge-triggered as in
//                     `epoll-edge`. A coroutine stops at a `co_await`. The loop resumes it when its
//                     socket is ready for the connection's step, or when the step has changed.
// Where handlers run: inline, on that thread. A handler that blocks, blocks all connections.
// What is shared:     one receive buffer and one workspace. Connections use them one after the
//                     other: take_ownership() comes before the loop turns to the next.
// An idle connection: as in `epoll-edge`, and the state that a blocking thread would have on its
//                     stack: the step that the coroutine waits for, and its frame (see Task). The
//                     frame takes 160 bytes with GCC: it only remembers the peer, and the place
//                     where the coroutine stopped.
// Calls per request:  as in `epoll-edge`. To resume a coroutine is a jump, and no system call.
//
// Where it breaks: a coroutine looks like a thread, but is none. A call that blocks in a coroutine
// blocks all connections. The contents of the receive buffer and of the workspace are gone after
// any `co_await`. A frame may be destroyed at any `co_await`. The one thread uses one core.
//
// When it is right: as `epoll-edge`, if the work for a connection has an order of its own, which
// the code then shows. Here the protocol chooses the order of the steps, and the gain is small.
//
// Read beside `blocking`: there, a call of `receive` either receives or waits; here, one `co_await`
// does both. Read beside `epoll-edge`: there, `drive` returns when it would wait, and starts again
// at its beginning; here, `serve` stops in the middle, and goes on from there.

#include <coroutine>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/entry_points.h"
#include "engines/loop/epoll_connections.h"
#include "engines/loop/loops.h"
#include "engines/loop/once_ready.h"
#include "engines/loop/task.h"

namespace weir::engines {
namespace {

using http::Step;

class Coroutines : public LoopHooks {
   public:
    Coroutines(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : host_{host}, connections_{host, limit, source} {}

    std::error_code open() { return connections_.open(); }

    void run() {
        while (!connections_.are_done()) {
            const auto events = connections_.wait();
            connections_.begin_turn(*this);
            for (const epoll_event& event : events) take(event);
            connections_.end_turn(*this);
        }
    }

    /// Makes the coroutine's frame. The coroutine begins to run in on_accepted().
    void reserve_for(Peer& peer) {
        if (peer.slot >= served_.size()) served_.resize(peer.slot + std::size_t{1});
        served_[peer.slot].task = serve(peer);
    }
    void on_accepted(Peer& peer) { resume(peer, served_[peer.slot].task); }

    /// Called after a completion, a deadline or the stop, and when the peer's next turn has come.
    void drive(Peer& peer) {
        if (is_over(peer)) return resume(peer);
        connections_.rest(peer, Turn{}, *this);
    }

    /// Destroys the frame, at the `co_await` where its coroutine has stopped.
    void forget(const Peer& peer) { served_[peer.slot] = {}; }

    // ---- for OnceReady ----

    bool has_turn() const noexcept { return turn_.goes_on(); }

    /// Before the loop turns to another peer: makes sure that the end of the wait brings the loop
    /// back. The kernel announces changes, so the socket is watched for bytes once and for good.
    /// The socket is watched for space after the first send that found none, because most peers
    /// never let it run out.
    bool wait(Peer& peer, Waiting waiting) {
        served_[peer.slot].waiting = waiting;
        connections_.rest(peer, turn_, *this);
        const std::uint32_t for_bytes = EPOLLIN | EPOLLRDHUP;
        const std::uint32_t for_space = peer.writable ? peer.watched_for & EPOLLOUT : EPOLLOUT;
        return connections_.watch(peer, EPOLLET | for_bytes | for_space);
    }

   private:
    /// Notes the event. The peer's coroutine goes on if its wait is over.
    void take(const epoll_event& event) {
        Peer* const peer = connections_.peer_of(event);
        if (peer && is_over(*peer)) resume(*peer);
    }
    bool is_over(const Peer& peer) const { return served_[peer.slot].waiting.is_over(peer); }

    void resume(Peer& peer) {
        std::coroutine_handle<> who = served_[peer.slot].waiting.who;
        resume(peer, who);
    }
    /// Runs the coroutine until it waits or has come to its end. Each call is a new turn.
    template <typename Coroutine>
    void resume(Peer& peer, Coroutine& coroutine) {
        turn_ = {};
        coroutine.resume();
        if (served_[peer.slot].task.is_done()) connections_.close(peer, *this);
    }

    // The waits of `serve`. Each waits until the socket is ready, and then transfers.
    auto receive(Peer& peer) {
        return once_ready(*this, peer, [](Coroutines& loop, Peer& from) {
            loop.turn_.count(
                engines::receive(from, loop.connections_.buffer(), loop.connections_.now()));
        });
    }
    auto transmit(Peer& peer) {
        return once_ready(*this, peer, [](Coroutines& loop, Peer& to) {
            loop.turn_.count(engines::transmit(to, loop.connections_.now()));
        });
    }
    auto exchange(Peer& peer) {
        return once_ready(*this, peer, [](Coroutines& loop, Peer& with) {
            loop.turn_.count(
                engines::exchange(with, loop.connections_.buffer(), loop.connections_.now()));
        });
    }
    /// A response, a wake-up or the deadline changes the step, which ends the wait. The socket can
    /// only report that the peer has gone.
    auto answer(Peer& peer) {
        return once_ready(*this, peer, [](Coroutines& loop, Peer& of) {
            loop.turn_.count(fail_if_broken(of, loop.connections_.now()));
        });
    }

    /// A connection, from its beginning to its end.
    Task serve(Peer& peer) {
        for (;;) {
            switch (peer.connection->step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive: co_await receive(peer); break;
                case Step::handle: handle(peer, host_.handler, connections_.now()); break;
                case Step::wait: co_await answer(peer); break;
                case Step::transmit: co_await transmit(peer); break;
                case Step::exchange: co_await exchange(peer); break;
                case Step::close: co_return;
            }
        }
    }

    Host& host_;
    EpollConnections connections_;
    struct Served {
        Task task;
        Waiting waiting;
    };
    std::vector<Served> served_;  // by slot
    Turn turn_;                   // of the coroutine that runs
};

}  // namespace

std::error_code run_coroutines(Host& host) { return run_loop(host, loop_of<Coroutines>); }

}  // namespace weir::engines
