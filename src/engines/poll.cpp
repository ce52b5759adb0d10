// poll: one thread, all connections, poll(2).
//
// Who waits:          one thread, in poll(2), for all sockets at once. It hands the kernel the whole
//                     list of them, and what it wants to know of each, in every turn; levels, as in
//                     `epoll-level`.
// Where handlers run: inline, on that thread. A handler that blocks, blocks everybody.
// What is shared:     one receive buffer and one workspace, by all connections, one after the
//                     other: settle() before turning to the next.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines, a pollfd; no
//                     buffer.
// Calls per request:  recv and send, and a share of a poll that announced many at once. To be
//                     watched for something else costs a store into the list, and no call.
//
// Where it breaks: a turn costs as much as there are connections, whether they are busy or not: for
// each, the kernel copies its entry in and out, and queues on its socket and leaves again; then the
// loop looks through the list. Some 10,000 idle connections cost each turn a millisecond, which one
// request may have to pay alone. And one thread is one core.
//
// When it is right: hundreds of connections, most of them busy, or systems that have no epoll.

#include <poll.h>

#include <algorithm>
#include <array>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/entry_points.h"
#include "engines/loop/acceptor.h"
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
constexpr int events_between_looks = 256;

class PollLoop {
   public:
    explicit PollLoop(Host& host)
        : host_{host},
          limit_{host.options.connections_max},
          acceptor_{limit_, host.listeners},
          workspace_{host.limits, host.timeouts, host.observer} {
        watched_.resize(first_peer_, nobody);
        watched_[mail].fd = run_queue_.completions()->fd();
    }

    void run() {
        while (!is_done()) {
            const int ready = wait_for_events();
            obey_stop();
            take_events(ready);
            run_queue_.run(now_, [this](Peer& peer) { drive(peer); });
            accept_connections();
        }
    }

   private:
    // What stands where in the list: these, then the listeners, then the peers by their slots.
    enum Place : std::size_t { stop, mail, first_listener };
    static constexpr pollfd nobody{-1, POLLIN, 0};  // poll(2) passes over it

    bool is_stopping() const noexcept { return obeyed_ != StopSignal::State::running; }

    bool is_done() const { return is_stopping() && peers_.size() == 0 && acceptor_.is_closed(); }

    int wait_for_events() {
        watched_[stop].fd = host_.stop.descriptor(obeyed_);
        for (std::size_t i = first_listener; i < first_peer_; ++i)
            watched_[i].fd = acceptor_.is_paused() ? -1 : host_.listeners[i - first_listener].fd();
        const Instant until = std::min({run_queue_.next(), acceptor_.next(), cut_at_});
        const int ready =
            ::poll(watched_.data(), watched_.size(), net::wait_milliseconds(until, now_.instant));
        now_ = net::read_clock();
        return ready;  // -1 is as good as nothing yet, and has written nothing
    }

    void take_events(int ready) {
        for (std::size_t i = 0; ready > 0 && i < watched_.size(); ++i) {
            const auto events = static_cast<std::uint16_t>(std::exchange(watched_[i].revents, 0));
            if (events == 0) continue;
            take(i, events);
            if (--ready > 0 && ready % events_between_looks == 0) look_up();
        }
    }

    /// Thousands may have spoken at once: meanwhile time passes, and more of them arrive.
    void look_up() {
        now_ = net::read_clock();
        acceptor_.note_arrivals();
        accept_connections();
    }

    void take(std::size_t place, std::uint32_t events) {
        if (place == stop) return;  // its state is looked at in each turn
        if (place == mail) return run_queue_.note_completions();
        if (place < first_peer_) return acceptor_.note_arrivals();
        // One that the stop has closed a moment ago left its slot empty: accepting comes after this.
        Peer* const peer = peers_.at(static_cast<std::uint32_t>(place - first_peer_));
        if (!peer) return;
        peer->note(events);
        drive(*peer);
    }

    void accept_connections() {
        acceptor_.accept(now_.instant, is_stopping(),
                         [this](Accepted& each) { return admit(each); });
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

    /// Before turning elsewhere: only what this connection can use may bring the loop back to it.
    /// Errors always do.
    void rest(Peer& peer) {
        peer.connection->settle();
        run_queue_.watch_deadline(peer);
        const Step step = peer.connection->step();
        const bool for_bytes = http::reads(step);
        const bool for_space = http::sends(step);
        const auto events =
            static_cast<short>((for_bytes ? POLLIN : 0) | (for_space ? POLLOUT : 0));
        const std::size_t place = first_peer_ + peer.slot;
        if (place >= watched_.size()) watched_.resize(place + 1, nobody);
        watched_[place] = {peer.socket.get(), events, 0};
    }

    void close(Peer& peer) {
        const std::size_t place = first_peer_ + peer.slot;
        if (place < watched_.size()) watched_[place] = nobody;
        while (watched_.size() > first_peer_ && watched_.back().fd < 0) watched_.pop_back();
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
    ConnectionLimit limit_;
    Acceptor acceptor_;
    http::Workspace workspace_;
    PeerTable peers_;
    RunQueue run_queue_{peers_};
    const std::size_t first_peer_ = first_listener + host_.listeners.size();
    std::vector<pollfd> watched_;
    Now now_ = net::read_clock();
    Instant cut_at_ = never;  // while draining
    StopSignal::State obeyed_ = StopSignal::State::running;
    std::array<char, receive_bytes> buffer_;
};

}  // namespace

std::error_code run_poll(Host& host) try {
    const net::SigpipeBlocked sigpipe_blocked;
    std::make_unique<PollLoop>(host)->run();
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
