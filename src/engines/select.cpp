// select: one thread, as many connections as there are bits in a set, select(2).
//
// Who waits:          one thread, in select(2), for all sockets at once. It hands the kernel a set of
//                     bits for those that it would read, and one for those that it would write,
//                     and gets them back with the bits that are true; levels, as in `poll`.
// Where handlers run: inline, on that thread. A handler that blocks, blocks everybody.
// What is shared:     one receive buffer and one workspace, by all connections, one after the
//                     other: settle() before turning to the next.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines, two bits and a
//                     pointer; no buffer.
// Calls per request:  recv and send, and a share of a select that announced many at once. The sets
//                     are kept up to date by a store, and copied for each turn: 128 bytes each.
//
// Where it breaks: a set has FD_SETSIZE bits, 1,024, whatever the system's limits are; a descriptor
// past them would be written behind the set. So a connection that gets one is turned away. A turn
// costs as much as the highest descriptor, and it can't ask for errors alone: a peer that vanishes
// while its handler runs is missed only when the answer is sent. And one thread is one core.
//
// When it is right: where there is nothing else. Every system that has sockets has it.

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <system_error>
#include <utility>

#include "engines/entry_points.h"
#include "engines/loop/acceptor.h"
#include "engines/loop/run_queue.h"
#include "engines/peer/peer_table.h"
#include "engines/peer/transfer.h"
#include "net/clock.h"
#include "net/descriptor_set.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using net::DescriptorSet;
using net::StopSignal;

constexpr std::size_t receive_bytes = 64 * 1024;
constexpr unsigned transfers_per_turn = 16;  // of one peer, before the others have their turn
// How often those are looked at that can't be watched.
constexpr std::chrono::milliseconds glance{100};

class SelectLoop {
   public:
    explicit SelectLoop(Host& host)
        : host_{host},
          limit_{host.options.connections_max},
          acceptor_{limit_, host.listeners},
          workspace_{host.limits, host.timeouts, host.observer} {}

    std::error_code open() {
        int highest = run_queue_.completions()->fd();
        for (const auto state : {StopSignal::State::running, StopSignal::State::draining})
            highest = std::max(highest, host_.stop.descriptor(state));
        for (const auto& listener : acceptor_.listeners())
            highest = std::max(highest, listener.fd());
        if (!DescriptorSet::has_room_for(highest)) return {EMFILE, std::generic_category()};
        for_bytes_.put(run_queue_.completions()->fd(), true);
        return {};
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
    bool is_stopping() const noexcept { return obeyed_ != StopSignal::State::running; }

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
        // Else the stop, whose state is looked at in each turn, or a listener, or a peer that it
        // has closed a moment ago.
        Peer* const peer = watched_[static_cast<std::size_t>(fd)];
        if (!peer) return acceptor_.note_arrivals();
        if (readable) peer->readable = true;
        if (writable) peer->writable = true;
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
        if (!DescriptorSet::has_room_for(peer.socket.get())) peer.connection->turn_away(now_);
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
    void rest(Peer& peer) {
        peer.connection->settle();
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
    DescriptorSet for_bytes_, for_space_;      // asked for
    DescriptorSet readable_, writable_;        // told
    std::array<Peer*, FD_SETSIZE> watched_{};  // by descriptor
    Now now_ = net::read_clock();
    Instant cut_at_ = never;  // while draining
    StopSignal::State obeyed_ = StopSignal::State::running;
    std::array<char, receive_bytes> buffer_;
};

}  // namespace

std::error_code run_select(Host& host) try {
    const net::SigpipeBlocked sigpipe_blocked;
    const auto loop = std::make_unique<SelectLoop>(host);
    if (const auto error = loop->open()) return error;
    loop->run();
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
