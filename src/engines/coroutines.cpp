// coroutines: one thread, all connections, each a coroutine that reads like `blocking`.
//
// Who waits:          one thread, in epoll_wait(2), for all sockets at once, edge-triggered as in
//                     `epoll-edge`. A coroutine waits at its `co_await`, which tells the loop what
//                     for; the loop resumes it when that is there, and for nothing else.
// Where handlers run: inline, on that thread. A handler that blocks, blocks everybody.
// What is shared:     one receive buffer and one workspace, by all connections, one after the
//                     other: settle() before turning to the next.
// An idle connection: as in `epoll-edge`, and what a blocking thread would have on its stack: the
//                     coroutine's frame (see Task), 160 bytes with GCC, because all that it has to
//                     remember is whose it is and where it stopped; and what it waits for.
// Calls per request:  as in `epoll-edge`: to resume a coroutine is a jump, and not a system call.
//
// Where it breaks: what looks like a thread is none. Whatever blocks in a coroutine, blocks all; what
// lies in the receive buffer or the workspace is gone after any `co_await`; and a frame may be
// destroyed at any of them. And one thread is one core.
//
// When it is right: as `epoll-edge`, where what is done for a connection has an order of its own to
// be told in. Here its steps are the protocol's, and the gain is small.
//
// Read beside `blocking`: there, `receive` and a wait take turns; here, to `co_await` is both. And
// beside `epoll-edge`: what returned from `drive` there, to come back to its beginning, stops in the
// middle of `serve` here, and goes on from there.

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

    /// The frame is made here, and runs from meet() on.
    void reserve_for(Peer& peer) {
        if (peer.slot >= served_.size()) served_.resize(peer.slot + std::size_t{1});
        served_[peer.slot].task = serve(peer);
    }
    void meet(Peer& peer) { resume(peer, served_[peer.slot].task); }

    /// The connection was told something, or its next turn has come.
    void drive(Peer& peer) {
        if (is_over(peer)) return resume(peer);
        connections_.rest(peer, Turn{}, *this);
    }

    /// The frame goes, wherever its coroutine has stopped.
    void forget(const Peer& peer) { served_[peer.slot] = {}; }

    // ---- for OnceReady ----

    bool has_turn() const noexcept { return turn_.goes_on(); }

    /// Before turning elsewhere: whatever ends the wait must bring the loop back to this peer. The
    /// kernel announces changes, so it is asked for bytes once and for good; for space when it is
    /// first missed, since most peers never let it run out.
    bool wait(Peer& peer, Waiting waiting) {
        served_[peer.slot].waiting = waiting;
        connections_.rest(peer, turn_, *this);
        const std::uint32_t for_bytes = EPOLLIN | EPOLLRDHUP;
        const std::uint32_t for_space = peer.writable ? peer.watched_for & EPOLLOUT : EPOLLOUT;
        return connections_.watch(peer, EPOLLET | for_bytes | for_space);
    }

   private:
    /// What happened to a socket is noted; its coroutine goes on if it waits for that.
    void take(const epoll_event& event) {
        Peer* const peer = connections_.peer_of(event);
        if (peer && is_over(*peer)) resume(*peer);
    }
    bool is_over(const Peer& peer) const { return served_[peer.slot].waiting.is_over(peer); }

    void resume(Peer& peer) {
        std::coroutine_handle<> who = served_[peer.slot].waiting.who;
        resume(peer, who);
    }
    /// A coroutine runs until it waits, or has come to its end. The turn is its own.
    template <typename Coroutine>
    void resume(Peer& peer, Coroutine& coroutine) {
        turn_ = {};
        coroutine.resume();
        if (served_[peer.slot].task.is_done()) connections_.close(peer, *this);
    }

    // What `serve` waits for, and does then.
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
    /// An answer, a wake-up or the deadline changes the step; that the peer has gone is all that its
    /// socket can say.
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
