// asio-wait: a thread per core, each with an io_context of Asio, which waits and calls back.
//
// Who waits:          each thread, in io_context::run(), for whatever was asked for: that a socket be
//                     readable or writable (async_wait), that a time come (a timer), or a turn later
//                     (post). Each of these is asked for once and answered once, by a call.
// Where handlers run: inline, on the loop that owns the connection.
// What is shared:     as in `per-core`, the count of connections. An io_context that all threads ran
//                     would need a strand for each connection and a buffer for each thread; with one
//                     for each thread, Asio is told to take no lock.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines; of Asio a
//                     descriptor, what its reactor notes of it, and the operation that waits: some
//                     350 bytes. No buffer, for it asks to be told, not to be given. One timer serves
//                     all: each connection's own would be a cancellation for each request.
// Calls per request:  recv, send, a share of an epoll_wait, and an epoll_ctl: Asio asks epoll(7) anew
//                     for each wait. (Its reads into a buffer ask recv once more instead, in vain.)
//                     No memory is allocated: Asio hands the last operation's to the next.
//
// Where it breaks: a completion may be in the queue already when its connection closes, and comes in
// any case. So none holds a pointer: each has the ticket of its connection, and an old ticket opens
// nothing. And it is a library's loop: what it does between two calls is its own.
//
// When it is right: where a program has Asio already. Read beside `epoll-level`, which it wraps.

#include <poll.h>

#include <algorithm>
#include <array>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <deque>
#include <expected>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "engines/asio/watch.h"
#include "engines/entry_points.h"
#include "engines/loop/acceptor.h"
#include "engines/loop/loops.h"
#include "engines/loop/run_queue.h"
#include "engines/peer/peer_table.h"
#include "engines/peer/transfer.h"
#include "net/clock.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using net::StopSignal;

constexpr std::size_t receive_bytes = 64 * 1024;
constexpr unsigned transfers_per_turn = 16;  // of one peer, before the others have their turn

class AsioWaitLoop {
   public:
    AsioWaitLoop(Host& host, ConnectionLimit& limit, std::span<net::Listener> listeners)
        : host_{host},
          acceptor_{limit, listeners},
          workspace_{host.limits, host.timeouts, host.observer} {}

    std::error_code open() {
        const net::StopSignal& stop = host_.stop;
        std::error_code error = draining_.open(stop.descriptor(StopSignal::State::running));
        if (!error) error = cutting_.open(stop.descriptor(StopSignal::State::draining));
        if (!error) error = completions_watch_.open(run_queue_.completions()->fd());
        for (const auto& listener : acceptor_.listeners())
            if (!error) error = listeners_.emplace_back(io_).open_duplicate(listener.fd());
        acceptor_.note_arrivals();
        return error;
    }

    void run() {
        for (Watch* const each : {&draining_, &cutting_, &completions_watch_}) hear(*each);
        plan();
        io_.run();
    }

   private:
    bool is_stopping() const noexcept { return obeyed_ != StopSignal::State::running; }

    bool is_done() const { return is_stopping() && peers_.size() == 0 && acceptor_.is_closed(); }

    /// What Asio calls back: looks at the clock first, and last at what is next.
    template <typename Task>
    auto completion(Task task) {
        return [this, task](const std::error_code& error = {}) {
            if (error) return;  // canceled: a descriptor was closed, or the timer set anew
            now_ = net::read_clock();
            task();
            plan();
        };
    }

    /// What no descriptor will say comes by post at once, or by the timer later. Most deadlines move
    /// to a later time, which leaves the timer as it is.
    void plan() {
        if (is_done()) return io_.stop();
        const Instant next = std::min({run_queue_.next(), acceptor_.next(), cut_at_});
        if (next <= now_.instant) return post_turn();
        if (next < alarm_.at()) alarm_.set(next, now_.instant, completion([this] { take_turn(); }));
    }

    void post_turn() {
        if (std::exchange(is_turn_posted_, true)) return;
        asio::post(io_, completion([this] {
                       is_turn_posted_ = false;
                       take_turn();
                   }));
    }

    void take_turn() {
        obey_stop();
        run_queue_.run(now_, [this](Peer& peer) { drive(peer); });
        accept_connections();
    }

    /// The stop, and mail.
    void hear(Watch& what) {
        what.ask(Wait::wait_read, completion([this, &what] {
                     if (&what == &completions_watch_) run_queue_.note_completions();
                     take_turn();
                     if (&what == &completions_watch_) hear(completions_watch_);
                 }));
    }

    void take(std::uint64_t ticket, Wait what) {
        Peer* const peer = peers_.find(ticket);
        if (!peer) return;  // it was closed while this was on its way
        if (what == Wait::wait_error) return take_error(*peer);
        watches_[peer->slot].answered(what);
        peer->note(what == Wait::wait_read ? POLLIN : POLLOUT);
        drive(*peer);
        if (acceptor_.is_paused())
            accept_connections();  // it may have waited for this one to speak
    }

    /// Urgent data counts as an error here (epoll(7)'s EPOLLPRI), and would be told of for ever: in
    /// that case it is not asked again, and a peer that goes is missed when it is sent to.
    void take_error(Peer& peer) {
        pollfd state{peer.socket.get(), 0, 0};
        ::poll(&state, 1, 0);
        peer.note(static_cast<std::uint32_t>(state.revents));
        drive(peer);
    }

    void accept_connections() {
        acceptor_.accept(now_.instant, is_stopping(),
                         [this](Accepted& each) { return admit(each); });
        if (!is_stopping() && !acceptor_.is_paused()) watch_listeners();
    }

    // While there is no room, nobody asks. Loops that share a queue (a unix socket's siblings) are
    // all told of each arrival: Asio can't ask that one alone be woken.
    void watch_listeners() {
        for (Watch& listener : listeners_) {
            if (listener.is_asked(Wait::wait_read)) continue;
            listener.ask(Wait::wait_read, completion([this, &listener] {
                             listener.answered(Wait::wait_read);
                             acceptor_.note_arrivals();
                             take_turn();
                         }));
        }
    }

    /// Whether it is silent so far.
    bool admit(Accepted& accepted) {
        Peer& peer = peers_.add();
        while (watches_.size() <= peer.slot) watches_.emplace_back(io_);
        peer.adopt(accepted, run_queue_.completions());
        peer.connection = host_.connect(workspace_, peer, now_);
        if (is_stopping()) peer.connection->retire(now_);
        drive(peer);
        return peer.is_silent();
    }

    void drive(Peer& peer) {
        http::Connection& connection = *peer.connection;
        for (unsigned transfers = 0; transfers < transfers_per_turn;) {
            switch (connection.step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive:
                    if (!receive(peer, buffer_, now_)) return rest(peer);
                    ++transfers;
                    break;
                case Step::handle: handle(peer, host_.handler, now_); break;
                case Step::wait:
                    if (!peer.broken) return rest(peer);
                    connection.fail(http::Outcome::peer_gone, now_);
                    break;
                case Step::transmit:
                    if (!transmit(peer, now_)) return rest(peer);
                    ++transfers;
                    break;
                case Step::exchange:
                    if (!exchange(peer, buffer_, now_)) return rest(peer);
                    ++transfers;
                    break;
                case Step::close: return close(peer);
            }
        }
        run_queue_.postpone(peer);
        rest(peer);
    }

    /// Before turning elsewhere: only what this connection can use may bring the loop back to it,
    /// and errors. What it asked for at an earlier step, and was not told, may still come.
    void rest(Peer& peer) {
        peer.connection->settle();
        run_queue_.watch_deadline(peer);
        if (peer.unfinished) return;  // its turn comes in any case
        const Step step = peer.connection->step();
        if (http::reads(step)) ask(peer, Wait::wait_read);
        if (peer.connection && http::sends(step)) ask(peer, Wait::wait_write);
        if (step == Step::wait) ask(peer, Wait::wait_error);
    }

    void ask(Peer& peer, Wait what) {
        Watch& watch = watches_[peer.slot];
        if (watch.is_asked(what)) return;
        if (!watch.open(peer.socket.get())) {
            const auto ticket = peer.number();
            return watch.ask(what, completion([this, ticket, what] { take(ticket, what); }));
        }
        peer.connection->fail(http::Outcome::stopped, now_);
        close(peer);
    }

    void close(Peer& peer) {
        watches_[peer.slot].close();
        peers_.remove(peer);
        acceptor_.connection_closed();
    }

    void obey_stop() {
        const auto state = host_.stop.state();
        if (state == StopSignal::State::running) return;
        if (std::exchange(obeyed_, state) == StopSignal::State::running) drain();
        if (state == StopSignal::State::now || now_.instant >= cut_at_) cut();
    }

    void drain() {
        cut_at_ = now_.instant + host_.options.stop_timeout;
        for (Watch& listener : listeners_) listener.close();
        peers_.each([this](Peer& peer) {
            retire(peer, buffer_, now_);
            drive(peer);
        });
    }

    void cut() {
        acceptor_.close();
        peers_.each([this](Peer& peer) {
            peer.connection->fail(http::Outcome::stopped, now_);
            close(peer);
        });
    }

    Host& host_;
    Acceptor acceptor_;
    http::Workspace workspace_;
    asio::io_context io_{ASIO_CONCURRENCY_HINT_UNSAFE};  // no locks: it has one thread
    PeerTable peers_;
    RunQueue run_queue_{peers_};
    Alarm alarm_{io_};
    Watch draining_{io_};
    Watch cutting_{io_};
    Watch completions_watch_{io_};
    std::deque<Watch> listeners_;
    std::deque<Watch> watches_;  // of each slot
    Now now_ = net::read_clock();
    Instant cut_at_ = never;  // while draining
    StopSignal::State obeyed_ = StopSignal::State::running;
    bool is_turn_posted_ = false;
    std::array<char, receive_bytes> buffer_;
};

std::expected<Loop, std::error_code> open_loop(Host& host, ConnectionLimit& limit,
                                               std::span<net::Listener> listeners) {
    auto loop = std::make_unique<AsioWaitLoop>(host, limit, listeners);
    if (const auto error = loop->open()) return std::unexpected{error};
    return [loop = std::move(loop)] {
        const net::SigpipeBlocked sigpipe_blocked;
        loop->run();
    };
}

}  // namespace

std::error_code run_asio_wait(Host& host) try {
    return run_loops(host, open_loop);
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
