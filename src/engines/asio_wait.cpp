// asio-wait: a thread per core, each with an io_context of Asio, which is asked for readiness alone.
//
// Who waits:          each thread, in io_context::run(), for whatever was asked for: that a socket be
//                     readable or writable (async_wait), that a time come (a timer), or a turn later
//                     (post). Each of these is asked for once and answered once, by a call.
// Where handlers run: inline, on the loop that owns the connection.
// What is shared:     as in `asio`, the count of connections between threads. Within a thread, one
//                     receive buffer and one workspace, by all connections, one after the other:
//                     settle() before turning to the next.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines; of Asio a
//                     descriptor, what its reactor notes of it, and the operation that waits: some
//                     540 bytes. No buffer, because nothing is read before there is something. One
//                     timer serves all connections.
// Calls per request:  recv, send, a share of an epoll_wait, and an epoll_ctl: Asio asks epoll(7) anew
//                     for each wait. No memory is allocated: Asio hands the last operation's to the
//                     next.
//
// Where it breaks: a completion may be in the queue already when its connection closes, and comes in
// any case. So none holds a pointer: each has the ticket of its connection, and an old ticket opens
// nothing. And it is a library's loop: what it does between two calls is its own.
//
// When it is right: where a program has Asio already, and many connections that are mostly idle. Read
// beside `epoll-level`, which it wraps, and beside `asio`, which has Asio do the reading and sending.

#include <poll.h>

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <cstdint>
#include <deque>
#include <new>
#include <system_error>
#include <utility>

#include "base/troubles.h"
#include "engines/asio/meanwhile.h"
#include "engines/asio/spare_descriptors.h"
#include "engines/asio/watch.h"
#include "engines/entry_points.h"
#include "engines/loop/loop_connections.h"
#include "engines/loop/loops.h"

namespace weir::engines {
namespace {

using http::Step;
using net::StopSignal;

class AsioWait : public LoopHooks {
   public:
    AsioWait(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : host_{host}, connections_{host, limit, source} {}

    std::error_code open() {
        const StopSignal& stop = host_.stop;
        std::error_code error = draining_.open(stop.descriptor(StopSignal::State::running));
        if (!error) error = cutting_.open(stop.descriptor(StopSignal::State::draining));
        if (!error) error = completions_.open(connections_.run_queue().completions()->fd());
        for (const auto& listener : connections_.acceptor().listeners())
            if (!error) error = listeners_.emplace_back(io_).open_duplicate(listener.fd());
        connections_.acceptor().note_arrivals();
        return error;
    }

    void run() {
        serve_until_done(io_, [this] { return serve(); });
    }

    void reserve_for(const Peer& peer) {
        while (watches_.size() <= peer.slot) watches_.emplace_back(io_);
    }
    void meet(Peer& peer) { drive(peer); }

    /// Does what the connection says, until its socket allows no more, or its turn is over.
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

    void forget(const Peer& peer) { watches_[peer.slot].close(); }

   private:
    /// False where Asio had no memory for what is asked of it next: then all of that is asked again.
    bool serve() try {
        for (Watch* const each : {&draining_, &cutting_})
            if (!each->is_asked(Wait::wait_read)) ask(*each, [this] { turn(); });
        connections_.begin_turn(*this);
        turn();
        plan();
        io_.run();
        return true;
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        return false;
    }

    /// What Asio calls back: looks at the clock and the stop first, and last at what is next.
    template <typename Task>
    auto completion(Task task) {
        return [this, task](std::error_code error = {}) {
            if (error) return;  // canceled: a descriptor was closed, or the timer set anew
            connections_.begin_turn(*this);
            task();
            plan();
        };
    }
    template <typename Task>
    void ask(Watch& watch, Task task) {
        watch.ask(Wait::wait_read, completion([&watch, task] {
                      watch.answered(Wait::wait_read);
                      task();
                  }));
    }

    /// What no descriptor will say comes by post at once, or by the timer later. Most deadlines move
    /// to a later time, which leaves the timer as it is.
    void plan() {
        if (!completions_.is_asked(Wait::wait_read)) ask_for_completions();
        watch_listeners();  // also when all is done: this loop lives on until the last one ends
        if (connections_.are_done()) return io_.stop();
        const int milliseconds = connections_.time_to_wait();
        if (milliseconds == 0) return post_turn();
        if (milliseconds > 0)
            alarm_.set(connections_.now().instant, milliseconds, completion([this] { turn(); }));
    }
    void post_turn() {
        if (is_turn_posted_) return;
        asio::post(io_, completion([this] {
                       is_turn_posted_ = false;
                       turn();
                   }));
        is_turn_posted_ = true;
    }
    void turn() { connections_.end_turn(*this); }

    void ask_for_completions() {
        ask(completions_, [this] {
            connections_.run_queue().note_completions();
            turn();
        });
    }

    // While there is no room, nobody asks; and a duplicate would keep a closed listener's queue open.
    // Loops that share a queue (a unix socket's siblings) are all told of each arrival: Asio can't
    // ask that one alone be woken.
    void watch_listeners() {
        for (Watch& listener : listeners_) {
            if (connections_.is_stopping()) {
                listener.close();
            } else if (!connections_.acceptor().is_paused() &&
                       !listener.is_asked(Wait::wait_read)) {
                ask(listener, [this] {
                    connections_.acceptor().note_arrivals();
                    turn();
                });
            }
        }
    }

    /// Only what this connection can use and lacks may bring the loop back to it, and errors. What it
    /// asked for at an earlier step, and was not told, may still come.
    void watch(Peer& peer) {
        const Step step = peer.connection->step();
        bool done = true;
        if (http::reads(step) && !peer.readable) done = ask(peer, Wait::wait_read);
        if (done && http::sends(step) && !peer.writable) done = ask(peer, Wait::wait_write);
        if (step == Step::wait) done = ask(peer, Wait::wait_error);
        if (!done) connections_.cut(peer, *this);
    }
    /// False where the kernel, or Asio, has no room for it.
    bool ask(const Peer& peer, Wait what) try {
        Watch& watch = watches_[peer.slot];
        if (watch.is_asked(what)) return true;
        if (watch.open(peer.socket.get())) return false;
        watch.ask(what, completion([this, ticket = peer.number(), what] { take(ticket, what); }));
        return true;
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        return false;
    }

    void take(std::uint64_t ticket, Wait what) {
        Peer* const peer = connections_.peers().find(ticket);
        if (!peer) return;  // it was closed while this was on its way
        if (what == Wait::wait_error) {
            note_error(*peer);
        } else {
            watches_[peer->slot].answered(what);
            peer->note(what == Wait::wait_read ? POLLIN : POLLOUT);
        }
        drive(*peer);
        // New connections may have waited for this one to speak.
        if (connections_.acceptor().is_paused()) connections_.accept(*this);
    }
    /// Urgent data counts as an error here (epoll(7)'s EPOLLPRI), and would be told of for ever: in
    /// that case it is not asked again, and a peer that goes is missed when it is sent to.
    static void note_error(Peer& peer) {
        pollfd state{peer.socket.get(), 0, 0};
        ::poll(&state, 1, 0);
        peer.note(static_cast<std::uint32_t>(state.revents));
    }

    Host& host_;
    LoopConnections connections_;
    asio::io_context io_{
        with_descriptors(ASIO_CONCURRENCY_HINT_UNSAFE)};  // no locks: it has one thread
    Alarm alarm_{io_};
    Watch draining_{io_};
    Watch cutting_{io_};
    Watch completions_{io_};
    std::deque<Watch> listeners_;
    std::deque<Watch> watches_;  // by slot
    bool is_turn_posted_ = false;
};

}  // namespace

std::error_code run_asio_wait(Host& host) try {
    return run_loops(host, loop_of<AsioWait>);
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
