// reactor: one thread does all I/O, in edge-triggered epoll(7); a pool of threads runs the handlers.
//
// Who waits:          one thread, in epoll_wait(2), for all sockets at once, as in `epoll-edge`.
// Where handlers run: on one of N threads (--workers), which take requests from a bounded queue
//                     (--queue) and give back replies, which an eventfd(2) announces to the loop.
// What is shared:     those two queues, each behind a mutex. A connection belongs to the loop; what a
//                     pool's thread sees of it is one request, which has its bytes to itself.
// An idle connection: as in `epoll-edge`.
// Calls per request:  recv, send, a futex to wake a thread, a write to wake the loop, an epoll_wait
//                     and a read there; in a rush, one of each of these for many.
//
// Where it breaks: a full queue. A request that finds no room waits in line, its connection is not
// read from, and past its deadline it is answered 503. A peer may vanish while its handler runs: its
// place stays its own until that has returned.
//
// When it is right: many connections, handlers that block or compute.

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "engines/entry_points.h"
#include "engines/loop/acceptor.h"
#include "engines/loop/listener_watch.h"
#include "engines/loop/run_queue.h"
#include "engines/peer/peer_table.h"
#include "engines/peer/transfer.h"
#include "engines/threads/handler_pool.h"
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

class Reactor {
   public:
    explicit Reactor(Host& host)
        : host_{host},
          limit_{host.options.connections_max},
          acceptor_{limit_, host.listeners},
          workspace_{host.limits, host.timeouts, host.observer},
          pool_{host, peers_} {}

    std::error_code open() {
        if (const auto error = epoll_.open()) return error;
        if (const auto error = pool_.open()) return error;
        const net::StopSignal& stop = host_.stop;
        const bool ready =
            epoll_.add(stop.descriptor(StopSignal::State::running), EPOLLIN | EPOLLET, stop_tag) &&
            epoll_.add(stop.descriptor(StopSignal::State::draining), EPOLLIN | EPOLLET, stop_tag) &&
            epoll_.add(run_queue_.completions()->fd(), EPOLLIN, completion_tag) &&
            epoll_.add(pool_.fd(), EPOLLIN, done_tag) && listener_watch_.begin();
        acceptor_.note_arrivals();
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
    enum Tag : std::uint64_t { stop_tag, completion_tag, done_tag, listener_tag };

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
        if (event.data.u64 == done_tag) return take_replies();
        if (event.data.u64 == listener_tag) return acceptor_.note_arrivals();
        Peer& peer = *static_cast<Peer*>(event.data.ptr);
        if (!peer.connection) return;  // the stop has closed it a moment ago
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
                case Step::handle: hand_over(peer); break;
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

    void hand_over(Peer& peer) {
        auto request = peer.connection->take_request().share();
        peer.connection->respond(request->id(), http::Later{},
                                 now_);  // its deadline runs from here
        pool_.submit(peer, std::move(request));
    }

    void take_replies() {
        for (auto& [job, reply] : pool_.collect()) {
            --job.peer->handlers;
            if (!job.peer->connection) {
                if (job.peer->handlers == 0) peers_.remove(*job.peer);
                continue;
            }
            if (!std::holds_alternative<http::Later>(reply))
                job.peer->connection->respond(job.request->id(), std::move(reply), now_);
            drive(*job.peer);
        }
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
        if (peer.handlers != 0) {  // they may still look at it
            peer.connection.reset();
            peer.socket.reset();
        } else {
            peers_.remove(peer);
        }
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
            drive(peer);
        });
    }

    void cut() {
        acceptor_.close();
        pool_.abandon();
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
    Now now_ = net::read_clock();
    Instant cut_at_ = never;  // while draining
    StopSignal::State obeyed_ = StopSignal::State::running;
    std::array<char, receive_bytes> buffer_;
    HandlerPool pool_;  // last: its threads end before what they use
};

}  // namespace

std::error_code run_reactor(Host& host) try {
    const net::SigpipeBlocked sigpipe_blocked;
    const auto reactor = std::make_unique<Reactor>(host);
    if (const auto error = reactor->open()) return error;
    reactor->run();
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
