#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "base/budget.h"
#include "base/troubles.h"
#include "engines/contract/host.h"
#include "engines/loop/acceptor.h"
#include "engines/loop/run_queue.h"
#include "engines/loop/turn.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/evictor.h"
#include "engines/peer/peer_table.h"
#include "engines/peer/transfer.h"
#include "http/workspace.h"
#include "net/clock.h"

namespace weir::engines {

/// The functions that LoopConnections calls on the engine that it belongs to. Besides these, each
/// engine has `on_accepted(peer)`, which starts a new connection, and `drive(peer)`, which takes the steps
/// of a connection. An engine inherits the functions below, unless it declares its own.
struct LoopHooks {
    /// Reserves the engine's memory for a peer: on_accepted() and drive() need none for it then. May throw
    /// std::bad_alloc.
    static void reserve_for(const Peer& /*peer*/) {}
    /// Whether the connection may close at once. If not, the engine calls LoopConnections::close()
    /// again.
    static bool may_close(const Peer& /*peer*/) noexcept { return true; }
    /// The connection is about to close: the poller must not report it any more. (epoll(7) needs no
    /// call: it forgets a descriptor that is closed.)
    static void forget(Peer& /*peer*/) noexcept {}
    /// Whether other threads still use the peer after its connection has closed. The engine then
    /// calls LoopConnections::free() when they have finished.
    static bool keeps(const Peer& /*peer*/) noexcept { return false; }
    /// Connections are about to be evicted, retired or expired: passes them the bytes that the
    /// engine has received for them.
    static void tell_received() noexcept {}
    /// Whether bytes have arrived that the connection does not know.
    static bool has_bytes_for(const Peer& peer) noexcept { return has_sent_bytes(peer); }
    /// Calls retire() for the connection, after a request that has arrived was received.
    static void retire(Peer& peer, std::span<char> buffer, Now now) {
        engines::retire(peer, buffer, now);
    }
    /// Calls expire() for the connection if its deadline has passed, after a request that has
    /// arrived was received.
    static void expire(Peer& peer, std::span<char> buffer, Now now) {
        engines::expire(peer, buffer, now);
    }
    /// All connections are about to be cut.
    static void abandon() noexcept {}
    /// The workspace of a new connection: by default all connections of a loop share one.
    static http::Workspace& workspace_for(const Peer& /*peer*/, http::Workspace& shared) noexcept {
        return shared;
    }
};

/// The connections of one loop, and the parts that are the same for every kind of loop: accepting,
/// running the peers that are due, stopping, closing. The engine waits, calls begin_turn(), drives
/// the peers whose sockets are ready, and calls end_turn():
///
///     while (!connections_.are_done()) {
///         const auto events = epoll_.wait(connections_.time_to_wait());
///         connections_.begin_turn(*this);
///         for (const epoll_event& event : events) take(event);
///         connections_.end_turn(*this);
///     }
///
/// The stop has two stages. First the loop drains: it accepts the connections that are queued,
/// retires each connection, and runs on. At Options::stop_timeout, or at the signal to stop now, it
/// cuts the connections that are left.
class LoopConnections {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    LoopConnections(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : host_{host},
          acceptor_{limit, source},
          workspace_{host.limits, host.timeouts, host.observer},
          evictor_{limit.evictions(), host.timeouts} {
        evictor_.join(run_queue_.completions());
        if (host.loop_opened) host.loop_opened(run_queue_.completions());
    }

    /// The server stops, and no connection is left.
    bool are_done() const noexcept {
        return is_stopping() && peers_.size() == 0 && acceptor_.is_closed();
    }
    bool is_stopping() const noexcept { return obeyed_ != net::StopSignal::State::running; }
    bool is_cutting() const noexcept { return is_cutting_; }

    /// Readable when the stop signal is past the state that the loop has obeyed. -1 after its last
    /// state.
    int stop_fd() const noexcept { return host_.stop.descriptor(obeyed_); }
    /// The time that the loop may wait for its descriptors, in milliseconds; -1: without limit.
    int time_to_wait() const noexcept {
        const Instant until = std::min({run_queue_.next(), acceptor_.next(), cut_at_});
        return net::wait_milliseconds(until, now_.instant);
    }

    /// After waiting: reads the clock, and obeys the stop signal.
    template <typename Engine>
    void begin_turn(Engine& engine) {
        read_clock();
        run_queue_.enter();
        if (host_.stop.state() != net::StopSignal::State::running) [[unlikely]]
            obey_stop(engine);
    }
    /// Drives the peers that are due, and accepts afterwards: otherwise a later event of this turn
    /// could be taken for one of a new connection in the slot of an old one.
    template <typename Engine>
    void end_turn(Engine& engine) {
        run_peers(engine);
        if (run_queue_.has_due(now_.instant)) [[unlikely]]
            expire_due(engine);
        accept(engine);
    }
    template <typename Engine>
    void accept(Engine& engine) {
        acceptor_.accept(now_.instant, is_stopping(), [this, &engine](net::Accepted& accepted) {
            return admit(accepted, engine);
        });
        if (is_stopping() && host_.closed && acceptor_.is_closed())
            std::exchange(host_.closed, nullptr)->signal();
        if (evictor_.is_due(acceptor_.refused())) [[unlikely]]
            evict(engine);
    }

    /// Before the loop turns from this peer to others: the connection takes ownership of its bytes, and
    /// its deadline is watched. If it has opened one of the last files, others are evicted.
    template <typename Engine>
    void rest(Peer& peer, const Turn& turn, Engine& engine) {
        const bool ran_out = peer.connection->take_ownership(now_);
        run_queue_.watch_deadline(peer);
        if (turn.is_used_up() || ran_out) run_queue_.postpone(peer);
        if (net::descriptors().is_short()) [[unlikely]]
            evict_for_files(engine, peer);
    }
    template <typename Engine>
    void close(Peer& peer, Engine& engine) {
        if (!engine.may_close(peer)) return;
        engine.forget(peer);
        const net::PeerAddress address = peer.address;
        const bool was_accepted = !peer.outbound;
        peer.close();
        if (!engine.keeps(peer)) free(peer);
        if (was_accepted) acceptor_.connection_closed(address);
    }
    /// While the server stops: retires the connection.
    template <typename Engine>
    void retire(Peer& peer, Engine& engine) {
        engine.retire(peer, std::span<char>{buffer_}, now_);
        engine.drive(peer);
    }
    /// While the server cuts.
    template <typename Engine>
    void cut(Peer& peer, Engine& engine) {
        peer.connection->fail(http::Outcome::stopped, now_);
        close(peer, engine);
    }
    /// The slot of a peer whose connection has closed can be used again.
    void free(Peer& peer) noexcept { peers_.remove(peer); }

    Now now() const noexcept { return now_; }
    Now read_clock() noexcept { return now_ = net::read_clock(); }
    /// The buffer into which all connections receive, one after the other.
    std::span<char> buffer() noexcept { return buffer_; }

    /// The budget of memory that all connections share; set once there is one.
    Budget* memory() const noexcept { return workspace_.memory; }
    PeerTable& peers() noexcept { return peers_; }
    RunQueue& run_queue() noexcept { return run_queue_; }
    Acceptor& acceptor() noexcept { return acceptor_; }
    const Acceptor& acceptor() const noexcept { return acceptor_; }

   private:
    static constexpr std::size_t receive_bytes = 64 * 1024;

    /// Returns whether the new connection has sent nothing. All memory that the connection needs
    /// until its end, outside of the protocol, is taken here: if that throws, the connection
    /// closes.
    template <typename Engine>
    bool admit(net::Accepted& accepted, Engine& engine) {
        Peer& peer = peers_.add();
        try {
            run_queue_.reserve();
            peer.adopt(accepted, run_queue_.completions());
            peer.connection = host_.connect(engine.workspace_for(peer, workspace_), peer, now_);
            engine.reserve_for(peer);
        } catch (const std::bad_alloc&) {
            peers_.remove(peer);
            throw;
        }
        if (is_stopping()) peer.connection->retire(now_);
        engine.on_accepted(peer);
        return !run_queue_.is_detached(peer) && peer.is_silent();
    }

    /// Begins to drive a connection that the server opens. As in admit(), all memory is taken here.
    template <typename Engine>
    void adopt(std::unique_ptr<http::Outbound> outbound, Engine& engine) {
        if (is_cutting_) return;
        Peer* peer = nullptr;
        try {
            peer = &peers_.add();
            run_queue_.reserve();
            peer->adopt(*outbound, run_queue_.completions(), now_);
            engine.reserve_for(*peer);
        } catch (const std::bad_alloc&) {
            troubles().note(Trouble::memory);
            if (peer) peers_.remove(*peer);
            return;
        }
        if (is_stopping()) peer->connection->retire(now_);
        engine.on_accepted(*peer);
    }

    template <typename Engine>
    void run_peers(Engine& engine) {
        run_queue_.run(
            now_, [&engine](Peer& peer) { engine.drive(peer); },
            [this, &engine](std::unique_ptr<http::Outbound> outbound) {
                adopt(std::move(outbound), engine);
            });
    }

    /// The loop may be late, and not the peers: their events may be more than one wait brings, or
    /// may have come after the wait. So events that have arrived come before a deadline.
    template <typename Engine>
    [[gnu::cold, gnu::noinline]] void expire_due(Engine& engine) {
        engine.tell_received();
        run_queue_.note_completions();
        run_peers(engine);
        run_queue_.run_due(
            now_.instant,
            [this, &engine](Peer& peer) { engine.expire(peer, std::span<char>{buffer_}, now_); },
            [&engine](Peer& peer) { engine.drive(peer); });
    }

    auto listing(const Peer* busy = nullptr) noexcept {
        return peers_.listing([this, busy](const Peer& peer) {
            return &peer != busy && !run_queue_.is_detached(peer);
        });
    }
    /// A connection that must send something first (GOAWAY) sends it in its next turn.
    template <typename Engine>
    auto ending(Engine& engine) noexcept {
        return [this, &engine](std::uint64_t number) {
            Peer* const peer = peers_.find(number);
            if (!peer || engine.has_bytes_for(*peer)) return false;
            peer->connection->evict(now_);
            if (peer->connection->step() == http::Step::close)
                close(*peer, engine);
            else
                run_queue_.postpone(*peer);
            return true;
        };
    }

    template <typename Engine>
    void evict(Engine& engine) noexcept {
        engine.tell_received();
        evictor_.evict(acceptor_.refused(), now_.instant, listing(), ending(engine));
    }
    /// `busy` has opened one of the last files, and has its turn: it stays.
    template <typename Engine>
    void evict_for_files(Engine& engine, const Peer& busy) noexcept {
        evictor_.evict_for_files(now_.instant, listing(&busy), ending(engine));
    }

    template <typename Engine>
    void obey_stop(Engine& engine) {
        const auto before = std::exchange(obeyed_, host_.stop.state());
        if (before == net::StopSignal::State::running) drain(engine);
        if (obeyed_ == net::StopSignal::State::now || now_.instant >= cut_at_) cut(engine);
    }

    template <typename Engine>
    void drain(Engine& engine) {
        cut_at_ = host_.cut_at();
        engine.tell_received();
        peers_.each([this, &engine](Peer& peer) {
            if (!run_queue_.is_detached(peer)) retire(peer, engine);
        });
    }

    /// The first call cuts all connections. Later calls do nothing, so that a loop which waits for
    /// the threads of its engine can sleep. The engine itself cuts a detached peer, after its return.
    template <typename Engine>
    void cut(Engine& engine) {
        if (std::exchange(is_cutting_, true)) return;
        cut_at_ = never;
        acceptor_.close();
        engine.abandon();
        peers_.each([this, &engine](Peer& peer) {
            if (!run_queue_.is_detached(peer)) cut(peer, engine);
        });
    }

    Host& host_;
    Acceptor acceptor_;
    http::Workspace workspace_;
    PeerTable peers_;
    RunQueue run_queue_{peers_};
    Evictor evictor_;
    Now now_ = net::read_clock();
    Instant cut_at_ = never;  // while draining
    bool is_cutting_ = false;
    net::StopSignal::State obeyed_ = net::StopSignal::State::running;
    std::array<char, receive_bytes> buffer_;
};

}  // namespace weir::engines
