// select-threads: select(2) says whose turn it is; a thread is started for each turn.
//
// Who waits:          one thread, in select(2), for all sockets at once, as in `select`. Who is ready is
//                     lent to a thread of its own, until it would block, or has used up its turn.
// Where handlers run: on that thread. A handler may block: only its own peer waits.
// What is shared:     nothing between two connections. One belongs to the loop, or to the thread that
//                     it is lent to, never to both; what comes for it meanwhile is kept.
// An idle connection: as in `select`, and a workspace of its own: which of the threads will serve it
//                     next isn't known, and an answer may be half-way. 4 KB at least, for its output.
// Calls per request:  recv, send, select twice; a write to give the connection back, and a read there;
//                     and what a thread costs: clone3, and eight calls as it starts and ends. That
//                     makes 30 microseconds and more, which a thread that stays has to pay once.
//
// Where it breaks: a thread for each turn is more than most requests cost; and a set has FD_SETSIZE
// bits, as in `select`: a connection past them is turned away. Who gets no thread (EAGAIN) tries
// again a little later. A handler that blocks can't be cut by its deadline, nor by the stop.
//
// When it is right: to be compared. It takes a thread only for those who are ready, and not for those
// who are silent; but it takes it anew each time. `reactor` is what came of the idea.

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "engines/entry_points.h"
#include "engines/loop/acceptor.h"
#include "engines/loop/run_queue.h"
#include "engines/peer/inbox.h"
#include "engines/peer/peer_table.h"
#include "engines/peer/transfer.h"
#include "engines/threads/thread_group.h"
#include "net/clock.h"
#include "net/descriptor_set.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using net::DescriptorSet;
using net::StopSignal;

constexpr std::size_t receive_bytes = 16 * 1024;
constexpr unsigned transfers_per_turn = 16;  // in the turn of one peer
// How often those are looked at that can't be watched.
constexpr std::chrono::milliseconds glance{100};

class SelectThreads {
   public:
    explicit SelectThreads(Host& host)
        : host_{host}, limit_{host.options.connections_max}, acceptor_{limit_, host.listeners} {}

    std::error_code open() {
        int highest = std::max(run_queue_.completions()->fd(), returns_.fd());
        for (const auto state : {StopSignal::State::running, StopSignal::State::draining})
            highest = std::max(highest, host_.stop.descriptor(state));
        for (const auto& listener : acceptor_.listeners())
            highest = std::max(highest, listener.fd());
        if (!DescriptorSet::has_room_for(highest)) return {EMFILE, std::generic_category()};
        for_bytes_.put(run_queue_.completions()->fd(), true);
        for_bytes_.put(returns_.fd(), true);
        return {};
    }

    void run() {
        while (!is_done()) {
            const int ready = wait_for_events();
            obey_stop();
            take_events(ready);
            run_queue_.run(now_, [this](Peer& peer) { lend(peer); });
            accept_connections();
        }
    }

   private:
    bool is_stopping() const noexcept { return obeyed_ != StopSignal::State::running; }

    bool is_cutting() const noexcept {
        return obeyed_ == StopSignal::State::now || now_.instant >= cut_at_;
    }

    bool is_done() const { return is_stopping() && peers_.size() == 0 && acceptor_.is_closed(); }

    int wait_for_events() {
        readable_ = for_bytes_;
        writable_ = for_space_;
        if (const int stop = host_.stop.descriptor(obeyed_); stop >= 0) readable_.put(stop, true);
        for (const auto& listener : acceptor_.listeners())
            if (listener.fd() >= 0 && !acceptor_.is_paused()) readable_.put(listener.fd(), true);
        const Instant until = std::min({run_queue_.next(), acceptor_.next(), cut_at_});
        const int milliseconds = net::wait_milliseconds(until, now_.instant);
        timeval time{milliseconds / 1000, milliseconds % 1000 * 1000};
        const int ready = ::select(FD_SETSIZE, readable_.bits(), writable_.bits(), nullptr,
                                   milliseconds < 0 ? nullptr : &time);
        now_ = net::read_clock();
        return ready;  // -1 is as good as nothing yet, and has written nothing
    }

    void take_events(int ready) {
        for (int fd = 0; ready > 0 && fd < FD_SETSIZE; ++fd) {
            const bool readable = readable_.has(fd);
            const bool writable = writable_.has(fd);
            ready -= int{readable} + int{writable};
            if (readable || writable) take(fd, readable, writable);
        }
    }

    void take(int fd, bool readable, bool writable) {
        if (fd == run_queue_.completions()->fd()) return run_queue_.note_completions();
        if (fd == returns_.fd()) return take_back();
        // Else the stop, whose state is looked at in each turn, or a listener, or a peer that it
        // has closed a moment ago.
        Peer* const peer = watched_[static_cast<std::size_t>(fd)];
        if (!peer) return acceptor_.note_arrivals();
        if (readable) peer->readable = true;
        if (writable) peer->writable = true;
        lend(*peer);
    }

    void accept_connections() {
        acceptor_.accept(now_.instant, is_stopping(), [this](Accepted& accepted) {
            admit(accepted);
            return false;  // not looked at yet: it does not count as silent
        });
    }

    void admit(Accepted& accepted) {
        Peer& peer = peers_.add();
        peer.adopt(accepted, run_queue_.completions());
        peer.connection = host_.connect(workspace_of(peer), peer, now_);
        if (!DescriptorSet::has_room_for(peer.socket.get())) peer.connection->turn_away(now_);
        if (is_stopping()) return retire(peer);
        peer.connection->step() == Step::receive ? rest(peer) : lend(peer);
    }

    http::Workspace& workspace_of(const Peer& peer) {
        while (workspaces_.size() <= peer.slot)
            workspaces_.emplace_back(host_.limits, host_.timeouts, host_.observer);
        return workspaces_[peer.slot];
    }

    /// The peer is a thread's, until that gives it back.
    void lend(Peer& peer) {
        if (is_cutting()) peer.connection->fail(http::Outcome::stopped, now_);
        if (peer.connection->step() == Step::close) return close(peer);
        watch(peer, nullptr, false, false);
        run_queue_.lend(peer);
        std::move_only_function<void()> work = [this, &peer] { serve(peer); };
        if (!threads_.start(work)) return;
        run_queue_.take_back(peer);
        run_queue_.watch_deadline(peer, now_.instant + ConnectionLimit::pause);
    }

    void serve(Peer& peer) {
        std::array<char, receive_bytes> buffer;
        const bool goes_on = drive(peer, buffer);
        peer.connection->settle();
        returns_.put({&peer, goes_on});
    }

    /// Returns whether there is more to do at once.
    bool drive(Peer& peer, std::span<char> buffer) {
        http::Connection& connection = *peer.connection;
        for (unsigned transfers = 0; transfers < transfers_per_turn;) {
            const Now now = net::read_clock();
            switch (connection.step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive:
                    if (!receive(peer, buffer, now)) return false;
                    ++transfers;
                    break;
                case Step::handle: handle(peer, host_.handler, now); break;
                case Step::wait:
                    if (!peer.broken) return false;
                    connection.fail(http::Outcome::peer_gone, now);
                    break;
                case Step::transmit:
                    if (!transmit(peer, now)) return false;
                    ++transfers;
                    break;
                case Step::exchange:
                    if (!exchange(peer, buffer, now)) return false;
                    ++transfers;
                    break;
                case Step::close: return false;
            }
        }
        return true;
    }

    void take_back() {
        for (const auto& [peer, goes_on] : returns_.collect()) {
            run_queue_.take_back(*peer);
            if (goes_on) peer->readable = true;  // nobody asks between two turns
            if (is_stopping() && !peer->retired)
                retire(*peer);
            else if (goes_on || peer->connection->step() == Step::close)
                lend(*peer);
            else
                rest(*peer);
        }
    }

    /// Only what this connection can use may bring the loop back to it.
    void rest(Peer& peer) {
        if (!DescriptorSet::has_room_for(peer.socket.get())) return glance_at(peer);
        run_queue_.watch_deadline(peer);
        const Step step = peer.connection->step();
        watch(peer, &peer, http::reads(step), http::sends(step));
    }

    void watch(Peer& peer, Peer* who, bool for_bytes, bool for_space) {
        const int fd = peer.socket.get();
        if (!DescriptorSet::has_room_for(fd)) return;
        watched_[static_cast<std::size_t>(fd)] = who;
        for_bytes_.put(fd, for_bytes);
        for_space_.put(fd, for_space);
    }

    /// It was turned away, and has yet to take its answer and go.
    void glance_at(Peer& peer) {
        peer.readable = peer.writable = true;
        run_queue_.watch_deadline(peer, now_.instant + glance);
    }

    void close(Peer& peer) {
        watch(peer, nullptr, false, false);
        peers_.remove(peer);
        acceptor_.connection_closed();
    }

    void obey_stop() {
        const auto state = host_.stop.state();
        if (state == StopSignal::State::running) return;
        if (std::exchange(obeyed_, state) == StopSignal::State::running) drain();
        if (is_cutting()) cut();
    }

    void drain() {
        cut_at_ = now_.instant + host_.options.stop_timeout;
        peers_.each([this](Peer& peer) {
            if (!peer.away) retire(peer);
        });
    }

    /// A request that has arrived is taken before its connection hears of the stop.
    void retire(Peer& peer) {
        engines::retire(peer, buffer_, now_);
        peer.connection->settle();
        peer.retired = true;
        lend(peer);
    }

    void cut() {
        acceptor_.close();
        peers_.each([this](Peer& peer) {
            if (!peer.away) lend(peer);
        });
    }

    Host& host_;
    ConnectionLimit limit_;
    Acceptor acceptor_;
    std::deque<http::Workspace> workspaces_;  // by the slot of the peer; outlive it
    PeerTable peers_;
    RunQueue run_queue_{peers_};
    DescriptorSet for_bytes_, for_space_;      // asked for
    DescriptorSet readable_, writable_;        // told
    std::array<Peer*, FD_SETSIZE> watched_{};  // by descriptor
    Inbox<std::pair<Peer*, bool>> returns_;    // and whether there is more to do for it, at once
    Now now_ = net::read_clock();
    Instant cut_at_ = never;  // while draining
    StopSignal::State obeyed_ = StopSignal::State::running;
    std::array<char, receive_bytes> buffer_;
    ThreadGroup threads_;  // last: the threads end before what they use
};

}  // namespace

std::error_code run_select_threads(Host& host) try {
    const net::SigpipeBlocked sigpipe_blocked;  // the threads inherit it
    const auto engine = std::make_unique<SelectThreads>(host);
    if (const auto error = engine->open()) return error;
    engine->run();
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
