// coroutines: one thread, all connections, each a coroutine that reads like `blocking`.
//
// Who waits:          one thread, in epoll_wait(2), for all sockets at once, edge-triggered as in
//                     `epoll-edge`: a connection is registered once, whatever it waits for next.
// Where handlers run: inline, on that thread. A handler that blocks, blocks everybody.
// What is shared:     one receive buffer and one workspace, by all connections, one after the
//                     other: settle() before turning to the next.
// An idle connection: as in `epoll-edge`, and what a blocking thread would have on its stack: the
//                     coroutine's frame (see Task), 72 bytes with GCC, because all that it has to
//                     remember is whose it is and where it stopped; and a pointer to it.
// Calls per request:  as in `epoll-edge`: to resume a coroutine is a jump, and not a system call.
//
// Where it breaks: what looks like a thread is none. Whatever blocks in a coroutine, blocks all; what
// lies in the receive buffer or the workspace is gone after any `co_await`; and a frame may be
// destroyed at any of them. And one thread is one core.
//
// When it is right: as `epoll-edge`, where what is done for a connection has an order of its own to
// be told in. Here its steps are the protocol's, and the gain is small.
//
// Read beside `blocking`: in `drive`, to wait is to `co_await`. And beside `epoll-edge`: what returned
// from `drive` there, to come back to its beginning, stops here in its middle.

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/entry_points.h"
#include "engines/loop/acceptor.h"
#include "engines/loop/listener_watch.h"
#include "engines/loop/pause.h"
#include "engines/loop/run_queue.h"
#include "engines/loop/task.h"
#include "engines/peer/peer_table.h"
#include "engines/peer/transfer.h"
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

class Coroutines {
   public:
    explicit Coroutines(Host& host)
        : host_{host},
          limit_{host.options.connections_max},
          acceptor_{limit_, host.listeners},
          workspace_{host.limits, host.timeouts, host.observer} {}

    std::error_code open() {
        if (const auto error = epoll_.open()) return error;
        const net::StopSignal& stop = host_.stop;
        const bool ready =
            epoll_.add(stop.descriptor(StopSignal::State::running), EPOLLIN | EPOLLET, stop_tag) &&
            epoll_.add(stop.descriptor(StopSignal::State::draining), EPOLLIN | EPOLLET, stop_tag) &&
            epoll_.add(run_queue_.completions()->fd(), EPOLLIN, completion_tag) &&
            listener_watch_.begin();
        acceptor_.note_arrivals();
        return ready ? std::error_code{} : std::error_code{errno, std::generic_category()};
    }

    void run() {
        while (!is_done()) {
            const auto events = wait_for_events();
            obey_stop();
            for (const epoll_event& event : events) take(event);
            run_queue_.run(now_, [this](Peer& peer) { resume(peer); });
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
        now_ = net::read_clock();
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
        resume(peer);
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
        if (peer.slot >= tasks_.size()) tasks_.resize(peer.slot + std::size_t{1});
        tasks_[peer.slot] = drive(peer);
        resume(peer);
        return peer.is_silent();
    }

    Task drive(Peer& peer) {
        http::Connection& connection = *peer.connection;
        for (;;) {
            switch (connection.step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive:
                    if (!receive(peer, buffer_, now_))
                        co_await readable(peer);
                    else
                        co_await next_turn();
                    break;
                case Step::handle: handle(peer, host_.handler, now_); break;
                case Step::wait:
                    if (!peer.broken) {
                        co_await answer_or_timeout(peer);
                        break;
                    }
                    connection.fail(http::Outcome::peer_gone, now_);
                    break;
                case Step::transmit:
                    if (!transmit(peer, now_))
                        co_await writable(peer);
                    else
                        co_await next_turn();
                    break;
                case Step::exchange:
                    if (!exchange(peer, buffer_, now_))
                        co_await either(peer);
                    else
                        co_await next_turn();
                    break;
                case Step::close: co_return;
            }
        }
    }

    /// Over at once, as long as the turn lasts.
    Pause next_turn() noexcept { return Pause{++transfers_ < transfers_per_turn}; }

    /// Its coroutine goes on, until it waits for something, or has used up its turn, or is done.
    void resume(Peer& peer) {
        transfers_ = 0;
        tasks_[peer.slot].resume();
        if (tasks_[peer.slot].is_done()) return close(peer);
        if (transfers_ == transfers_per_turn) run_queue_.postpone(peer);
        rest(peer);
    }

    /// Before turning elsewhere: whatever happens to this peer next must bring the loop back to it.
    void rest(Peer& peer) {
        peer.connection->settle();
        run_queue_.watch_deadline(peer);
        if (peer.watched && (peer.writable || peer.watched_for_space)) return;
        const std::uint32_t space = peer.writable ? 0U : static_cast<std::uint32_t>(EPOLLOUT);
        const std::uint32_t events = EPOLLIN | EPOLLRDHUP | EPOLLET | space;
        const auto about = reinterpret_cast<std::uint64_t>(&peer);
        const bool done = peer.watched ? epoll_.modify(peer.socket.get(), events, about)
                                       : epoll_.add(peer.socket.get(), events, about);
        peer.watched = true;
        peer.watched_for_space = space != 0;
        if (done) return;
        peer.connection->fail(http::Outcome::stopped, now_);
        close(peer);
    }

    void close(Peer& peer) {
        tasks_[peer.slot] = {};
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
        listener_watch_.end();  // once it is closed, a unix socket's siblings would go on reporting
        peers_.each([this](Peer& peer) {
            retire(peer, buffer_, now_);
            resume(peer);
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
    ConnectionLimit limit_;
    Acceptor acceptor_;
    http::Workspace workspace_;
    net::Epoll epoll_{host_.options.busy_poll};
    ListenerWatch listener_watch_{epoll_, acceptor_, listener_tag};
    PeerTable peers_;
    RunQueue run_queue_{peers_};
    std::vector<Task> tasks_;  // by the slot of the peer
    unsigned transfers_ = 0;   // of the coroutine that runs
    Now now_ = net::read_clock();
    Instant cut_at_ = never;  // while draining
    StopSignal::State obeyed_ = StopSignal::State::running;
    std::array<char, receive_bytes> buffer_;
};

}  // namespace

std::error_code run_coroutines(Host& host) try {
    const net::SigpipeBlocked sigpipe_blocked;
    const auto engine = std::make_unique<Coroutines>(host);
    if (const auto error = engine->open()) return error;
    engine->run();
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
