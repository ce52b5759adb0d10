// epoll-blocking: epoll(7) over blocking sockets. A common mistake, made on purpose.
//
// Who waits:          one thread, in epoll_wait(2), for all sockets; and, in the middle of an answer,
//                     for one alone. With --workers, so many such loops, each with its listeners.
// Where handlers run: inline, on that thread. A handler that blocks, blocks everybody on it.
// What is shared:     in a loop, a receive buffer and a workspace; between loops, a count of peers.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines; no buffer.
// Calls per request:  as in `epoll-level`; and a poll for each send that found no room.
//
// Where it breaks: that there is something to receive, epoll has said; that there is room to send,
// nobody has. An answer that the socket's buffer can't hold waits for its peer to read, and the whole
// loop with it. That peer need not be hostile, a telephone in a train will do. No error is reported;
// the server is idle and answers nobody, until the transmit timer cuts that one peer.
//
// When it is right: never; small answers hide it until one is large. Compare `transmit` in drive()
// with `epoll-level`. As in `blocking`, poll(2) does the blocking, so that deadlines and the stop can
// end it. More workers make it rarer, not better.

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "engines/entry_points.h"
#include "engines/loop/acceptor.h"
#include "engines/loop/listener_watch.h"
#include "engines/loop/loops.h"
#include "engines/loop/run_queue.h"
#include "engines/peer/peer_table.h"
#include "engines/peer/transfer.h"
#include "engines/threads/blocking_wait.h"
#include "net/clock.h"
#include "net/epoll.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using net::StopSignal;

constexpr std::size_t receive_bytes = 64 * 1024;
constexpr unsigned transfers_per_turn = 16;  // of one peer, before the others have their turn

class BlockingLoop {
   public:
    BlockingLoop(Host& host, ConnectionLimit& limit, std::span<net::Listener> listeners)
        : host_{host},
          acceptor_{limit, listeners},
          workspace_{host.limits, host.timeouts, host.observer} {}

    std::error_code open() {
        if (const auto error = epoll_.open()) return error;
        const net::StopSignal& stop = host_.stop;
        const bool ready =
            epoll_.add(stop.descriptor(StopSignal::State::running), EPOLLIN, stop_tag) &&
            epoll_.add(stop.descriptor(StopSignal::State::draining), EPOLLIN, stop_tag) &&
            epoll_.add(run_queue_.completions()->fd(), EPOLLIN, completion_tag) &&
            listener_watch_.begin();
        return ready ? std::error_code{} : std::error_code{errno, std::generic_category()};
    }

    void run() {
        while (!is_done()) {
            const auto events = wait_for_events();
            obey_stop();
            for (const epoll_event& event : events) take(event);
            run_queue_.run(now_, [this](Peer& peer) { drive(peer); });
            accept_connections();
        }
    }

   private:
    // What an event is about: one of these, or a peer, whose address is none of them.
    enum Tag : std::uint64_t { stop_tag, completion_tag, listener_tag };

    bool is_stopping() const noexcept { return obeyed_ != StopSignal::State::running; }

    bool is_done() const { return is_stopping() && peers_.size() == 0 && acceptor_.is_closed(); }

    std::span<const epoll_event> wait_for_events() {
        const Instant until = std::min({run_queue_.next(), acceptor_.next(), cut_at_});
        const auto events = epoll_.wait(net::wait_milliseconds(until, now_.instant));
        now_ = wait_.read_clock();
        return events;
    }

    void take(const epoll_event& event) {
        if (event.data.u64 == stop_tag) return;  // its state is looked at in each turn
        if (event.data.u64 == completion_tag) return run_queue_.note_completions();
        if (event.data.u64 == listener_tag) return acceptor_.note_arrivals();
        // One that the stop has closed a moment ago left its slot empty: accepting comes after this.
        Peer& peer = *static_cast<Peer*>(event.data.ptr);
        if (!peer.connection) return;
        peer.note(event.events);
        drive(peer);
    }

    void accept_connections() {
        acceptor_.accept(now_.instant, is_stopping(),
                         [this](Accepted& each) { return admit(each); });
        if (!is_stopping()) listener_watch_.follow_acceptor(now_.instant);
    }

    /// Whether it is silent so far.
    bool admit(Accepted& accepted) {
        Peer& peer = peers_.add();
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
                    if (!transmit(peer, now_))
                        wait_.wait_for(peer, POLLOUT);  // and all others wait
                    now_ = wait_.read_clock();
                    wait_.look_around(peer, buffer_);
                    break;
                case Step::exchange:
                    if (!exchange(peer, buffer_, now_)) wait_.wait_for(peer, POLLIN | POLLOUT);
                    now_ = wait_.read_clock();
                    wait_.look_around(peer, buffer_);
                    break;
                case Step::close: return close(peer);
            }
        }
        run_queue_.postpone(peer);
        rest(peer);
    }

    /// Before turning elsewhere: only what this connection can use may bring the loop back to it.
    /// Errors always do.
    void rest(Peer& peer) {
        peer.connection->settle();
        run_queue_.watch_deadline(peer);
        const bool for_bytes = peer.connection->step() != Step::wait;
        if (peer.watched && peer.watched_for_bytes == for_bytes) return;
        const auto about = reinterpret_cast<std::uint64_t>(&peer);
        const std::uint32_t events = for_bytes ? EPOLLIN : 0U;
        const bool done = peer.watched ? epoll_.modify(peer.socket.get(), events, about)
                                       : epoll_.add(peer.socket.get(), events, about);
        peer.watched = true;
        peer.watched_for_bytes = for_bytes;
        if (done) return;
        peer.connection->fail(http::Outcome::stopped, now_);
        close(peer);
    }

    void close(Peer& peer) {
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
        epoll_.remove(host_.stop.descriptor(StopSignal::State::running));  // stays readable
        cut_at_ = now_.instant + host_.options.stop_timeout;
        wait_.is_draining();    // counts from the same moment
        listener_watch_.end();  // once it is closed, a unix socket's siblings would go on reporting
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
    net::Epoll epoll_{host_.options.busy_poll};
    ListenerWatch listener_watch_{epoll_, acceptor_, listener_tag};
    PeerTable peers_;
    BlockingWait wait_{host_};
    RunQueue run_queue_{peers_};
    Now now_ = net::read_clock();
    Instant cut_at_ = never;  // while draining
    StopSignal::State obeyed_ = StopSignal::State::running;
    std::array<char, receive_bytes> buffer_;
};

std::expected<Loop, std::error_code> open_loop(Host& host, ConnectionLimit& limit,
                                               std::span<net::Listener> listeners) {
    auto loop = std::make_unique<BlockingLoop>(host, limit, listeners);
    if (const auto error = loop->open()) return std::unexpected{error};
    return [loop = std::move(loop)] {
        const net::SigpipeBlocked sigpipe_blocked;
        loop->run();
    };
}

}  // namespace

std::error_code run_epoll_blocking(Host& host) try {
    return run_loops(host, open_loop);
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
