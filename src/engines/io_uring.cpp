// io-uring: a thread per core, each with a ring (io_uring(7)). The kernel reports operations that
// it has done, and not sockets that are ready.
//
// Who waits:          each thread, in io_uring_enter(2). That one call submits the operations of a
//                     turn, and brings back the completions of earlier ones.
// Where handlers run: inline, on the loop that owns the connection.
// What is shared:     the count of connections, as in `per-core`. The connections of a loop share
//                     256 receive buffers of 4 KB: the kernel takes one when bytes arrive, and gets
//                     it back in the same turn.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines, 16 bytes about
//                     its operations; no buffer. In the kernel, an operation that waits for bytes.
// Calls per request:  a share of an io_uring_enter, which under load serves some twenty requests.
//
// The life of a connection:
//
//   submit    One receive operation serves a connection for its whole life. It completes each time
//             that bytes arrive, with a buffer that holds them.
//   complete  The loop drives the connection with those bytes. Its response is copied. The kernel
//             sends all responses of a turn together, in the loop's next io_uring_enter(2). The
//             connection does not wait for that: send(2) would only have copied the bytes, too.
//   park      Bytes arrive whether or not the connection reads at the moment. If it doesn't, the
//             loop copies them aside, so that the buffer can go back. If a peer sends too far
//             ahead, the loop stops receiving from it.
//   cancel    An operation that is not wanted any more is canceled; but it may complete meanwhile.
//   let go    A peer is removed when the last completion of its last operation has come. Until then
//             the kernel may use its memory, and its descriptor must not become another's.
//
// The ring does not do everything. The loop receives the first bytes of a new connection with
// recv(2), because they are mostly there. It sends with send(2), sendfile(2) or shutdown(2) if a
// response is large, comes from a file, or is the last. It accepts by itself, too.
// docs/decisions/0011-what-the-ring-is-asked-for.md has the measurements.
//
// Where it breaks: on old kernels, and in the many places that forbid io_uring.
//
// When it is right: where io_uring is allowed, and every system call counts.

#include <poll.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <expected>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/entry_points.h"
#include "engines/loop/loop_connections.h"
#include "engines/loop/loops.h"
#include "engines/loop/turn.h"
#include "engines/peer/transfer.h"
#include "engines/ring/pending.h"
#include "engines/ring/ring_listener_watch.h"
#include "engines/ring/ring_loop.h"
#include "engines/ring/ring_operation.h"
#include "engines/ring/send_batch.h"
#include "net/clock.h"
#include "net/io.h"
#include "net/ring/buffer_ring.h"
#include "net/ring/ring.h"

namespace weir::engines {
namespace {

using http::Step;
using net::StopSignal;
using Completion = net::Ring::Completion;

// The sizes of the ring's two queues, enough for one turn. More operations cost a system call, more
// completions cost memory. The operations stay in the first-level cache.
constexpr unsigned operations = 128, completions = 4096;

constexpr std::uint16_t receive_buffers = 256;
constexpr std::uint32_t receive_buffer_bytes = 4 * 1024;
// If more bytes than these are parked for a peer, the loop stops receiving from it. Bytes that are
// on their way then come on top: no more than all receive buffers hold.
constexpr std::size_t parked_bytes_max = 16 * 1024;

class RingLoop : public LoopHooks {
   public:
    RingLoop(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : host_{host}, connections_{host, limit, source} {}

    std::error_code open(net::Ring::Features wanted) {
        if (const auto error = ring_.open(operations, completions, wanted)) return error;
        if (ring_.features().receive_many)
            has_buffers_ = !buffers_.open(ring_, 0, receive_buffers, receive_buffer_bytes);
        connections_.acceptor().note_arrivals();
        return {};
    }

    void run() {
        [[maybe_unused]] const auto error = ring_.enable();
        assert(!error && "a ring that was opened can be enabled, once");
        for (const auto seen : {StopSignal::State::running, StopSignal::State::draining})
            watch_stop(seen);
        while (!is_done()) {
            wait();
            connections_.begin_turn(*this);
            take_arrived();
            connections_.end_turn(*this);
            listener_watch_.follow_acceptor(connections_.is_stopping());
        }
    }

    void reserve_for(const Peer& peer) {
        if (peer.slot >= pending_.size()) pending_.resize(peer.slot + std::size_t{1});
        of(peer) = {};
    }
    void on_accepted(Peer& peer) { drive(peer); }

    void drive(Peer& peer) {
        Turn turn;
        while (turn.goes_on()) {
            switch (peer.connection->step()) {
                case Step::drain: shut_down(peer); [[fallthrough]];
                case Step::receive: turn.count(receive(peer)); break;
                case Step::handle: handle(peer, host_.handler, now()); break;
                case Step::wait: turn.count(fail_if_broken(peer, now())); break;
                case Step::transmit: turn.count(send(peer)); break;
                case Step::exchange: turn.count(exchange(peer)); break;
                case Step::close: return connections_.close(peer, *this);
            }
        }
        if (turn.is_used_up()) postpone(peer);
        rest(peer);
    }

    /// False while the kernel uses the peer. The last completion of each operation calls this
    /// again.
    bool may_close(Peer& peer) {
        if (is_in_batch(peer)) {
            postpone(peer);
            return false;
        }
        Pending& pending = of(peer);
        stop_receiving(peer);
        if (pending.has_unsent() && !connections_.is_cutting() &&
            now().instant < pending.give_up()) {
            connections_.run_queue().watch_deadline(peer, pending.give_up());
            return false;
        }
        if (pending.has_unsent()) net::reset_on_close(peer.socket.get());
        pending.drop_unsent();
        stop_awaiting_space(peer);
        return !pending.receiving && !pending.awaiting_space;
    }

    /// One wait may bring only a part of the completions that have arrived: some twenty. A wait that
    /// brings none shows that there are no more. Where peers send on and on, none may be the last.
    void tell_received() {
        const std::size_t waits_max = 100 + connections_.peers().size();
        for (std::size_t waits = 0; waits < waits_max; ++waits) {
            take_arrived();
            arrived_ = ring_.wait(0);
            if (arrived_->empty()) break;
        }
        take_arrived();  // also of the last wait: the next one has others
    }
    bool has_bytes_for(const Peer& peer) noexcept {
        return of(peer).parked() != 0 || has_sent_bytes(peer);
    }
    /// tell_received() has passed on the bytes that have arrived.
    static void retire(Peer& peer, std::span<char> /*buffer*/, Now now) {
        peer.connection->retire(now);
    }
    static void expire(Peer& peer, std::span<char> /*buffer*/, Now now) {
        engines::expire(*peer.connection, peer.socket.get(), now);
    }

   private:
    Pending& of(const Peer& peer) noexcept { return pending_[peer.slot]; }
    Now now() const noexcept { return connections_.now(); }
    void postpone(Peer& peer) { connections_.run_queue().postpone(peer); }

    bool is_done() const { return connections_.are_done() && listener_watch_.has_ended(); }

    void watch_stop(StopSignal::State seen) {
        ring_.poll(host_.stop.descriptor(seen), POLLIN,
                   about(Operation::watch_stop, static_cast<std::size_t>(seen)));
    }

    // ---- submit and complete ----

    void wait() {
        if (!std::exchange(completions_watched_, true))
            ring_.poll(connections_.run_queue().completions()->fd(), POLLIN,
                       about(Operation::watch_completions));
        // tell_received() may have noted a stop behind the begin of a turn. It is not told again.
        const bool begins_at_once = std::exchange(stop_noted_, false);
        arrived_ = ring_.wait(begins_at_once ? 0 : connections_.time_to_wait());
    }

    /// Of thousands of connections, each is cold in the cache: while the loop drives one, the
    /// processor fetches the next ones.
    void take_arrived() {
        if (!arrived_) return;
        const auto arrived = *std::exchange(arrived_, std::nullopt);
        end_batch(arrived);
        for (std::size_t i = 0; i < arrived.size(); ++i) {
            if (i + 2 < arrived.size() && is_of_peer(arrived[i + 2].about))
                __builtin_prefetch(&peer_of(arrived[i + 2].about));
            if (i + 1 < arrived.size() && is_of_peer(arrived[i + 1].about))
                __builtin_prefetch(peer_of(arrived[i + 1].about).connection.get());
            take(arrived[i]);
        }
    }

    void take(const Completion& completion) {
        const std::uint64_t about = completion.about;
        switch (operation_of(about)) {
            case Operation::watch_stop:  // each turn reads its state when it begins
                stop_noted_ = true;
                if (completion.result < 0)
                    watch_stop(static_cast<StopSignal::State>(index_of(about)));
                return;
            case Operation::cancel:        // the canceled operation has its own completion
            case Operation::send: return;  // end_batch() has handled it
            case Operation::watch_completions:
                completions_watched_ = false;
                return connections_.run_queue().note_completions();
            case Operation::watch_listener:
                listener_watch_.completed(completion);
                return connections_.acceptor().note_arrivals();
            case Operation::receive: received(peer_of(about), completion); break;
            case Operation::await_space: has_space(peer_of(about), completion); break;
        }
        drive(peer_of(about));
        // After take_ownership(), the connection borrows no bytes of the buffer.
        if (const auto buffer = completion.buffer()) buffers_.give_back(*buffer);
    }

    /// Before the loop turns to another peer: any event of this peer must bring the loop back to
    /// it.
    void rest(Peer& peer) {
        if (peer.connection->take_ownership(now())) postpone(peer);
        const Instant give_up = of(peer).give_up();
        if (now().instant >= give_up) {
            net::reset_on_close(peer.socket.get());
            lose(peer);
            return connections_.close(peer, *this);
        }
        connections_.run_queue().watch_deadline(peer, give_up);
        // Also while the connection waits for its handler: the operation reports a reset.
        const Step step = peer.connection->step();
        if (http::reads(step) || step == Step::wait) ask_to_receive(peer);
    }

    // ---- receiving, and parking ----

    void ask_to_receive(Peer& peer) {
        Pending& pending = of(peer);
        if (pending.receiving || pending.ended || peer.readable || sends_too_far_ahead(peer))
            return;
        pending.receiving = true;
        if (has_buffers_)
            ring_.receive_many(peer.socket.get(), buffers_.group(),
                               about(Operation::receive, peer));
        else  // an old kernel only reports that there are bytes
            ring_.poll(peer.socket.get(), POLLIN, about(Operation::receive, peer));
    }

    void received(Peer& peer, const Completion& completion) {
        if (completion.is_last()) of(peer).receiving = false;
        if (completion.result < 0) {
            if (!may_go_on(-completion.result)) lose(peer);
        } else if (!has_buffers_) {
            peer.note(static_cast<std::uint32_t>(completion.result));
        } else if (completion.result == 0) {
            of(peer).ended = true;
        } else {
            const auto size = static_cast<std::size_t>(completion.result);
            take_bytes(peer, buffers_.bytes(*completion.buffer(), size));
        }
    }

    void take_bytes(Peer& peer, std::string_view bytes) {
        const Step step = peer.connection->step();
        if (step == Step::close) return;
        if (http::reads(step) && of(peer).parked() == 0)
            return peer.connection->receive(bytes, now());
        if (!of(peer).park(bytes, connections_.memory()))
            return lose(peer, http::Outcome::out_of_memory);
        if (sends_too_far_ahead(peer)) stop_receiving(peer);
    }

    bool sends_too_far_ahead(const Peer& peer) noexcept {
        return of(peer).parked() > parked_bytes_max;
    }

    /// Passes parked bytes, new bytes, or their end to the connection. False if there are none.
    bool receive(Peer& peer) {
        if (of(peer).parked() != 0) {
            unparked_ = of(peer).unpark();
            peer.connection->receive(unparked_, now());
            return true;
        }
        if (of(peer).ended) {
            if (of(peer).end_told) return false;
            of(peer).end_told = true;
            peer.connection->receive_end(now());
            return true;
        }
        return engines::receive(peer, connections_.buffer(), now());
    }

    void stop_receiving(Peer& peer) {
        if (of(peer).receiving)
            ring_.cancel(about(Operation::receive, peer), about(Operation::cancel));
    }

    // ---- sending ----

    /// Sends some of the bytes that the connection offers. False if they must wait: then the loop
    /// comes back.
    bool send(Peer& peer) {
        if (of(peer).awaiting_space) return false;
        if (is_in_batch(peer)) {  // a send would overtake the bytes in the batch
            postpone(peer);
            return false;
        }
        if (add_to_batch(peer) || engines::transmit(peer, now())) return true;
        await_space(peer);
        return false;
    }

    bool exchange(Peer& peer) {
        const bool sent = send(peer);
        if (!http::reads(peer.connection->step())) return sent;
        return receive(peer) || sent;
    }

    bool add_to_batch(Peer& peer) {
        if (!peer.writable || !ring_.features().send_quietly) return false;
        const http::Transmission what = peer.connection->transmit();
        const std::size_t size = what.part_bytes();
        if (what.more_follows() || size > SendBatch::bytes_max || !batch_.has_room(size))
            return false;
        const std::size_t index = batch_.add(peer, what);
        ring_.send_quietly(peer.socket.get(), batch_[index].bytes, about(Operation::send, index));
        of(peer).batch = batch_.number();
        peer.connection->transmitted(size, now());
        return true;
    }

    bool is_in_batch(const Peer& peer) noexcept { return of(peer).batch == batch_.number(); }

    /// The kernel sends a batch while it is submitted, and completes only the entries that it could
    /// not send whole. The rest of such a response is set aside before anything else is sent to the
    /// peer.
    void end_batch(std::span<const Completion> arrived) {
        for (const Completion& completion : arrived)
            if (operation_of(completion.about) == Operation::send) sent_in_part(completion);
        if (ring_.is_drained()) batch_.clear();
    }

    void sent_in_part(const Completion& completion) {
        const auto [peer, bytes] = batch_[index_of(completion.about)];
        postpone(*peer);
        if (completion.result < 0 && !may_go_on(-completion.result)) return lose(*peer);
        const auto sent = static_cast<std::size_t>(std::max(completion.result, 0));
        if (!of(*peer).set_unsent(bytes.substr(sent), transmit_deadline(), connections_.memory()))
            return lose(*peer, http::Outcome::out_of_memory);
        peer->writable = false;
        await_space(*peer);
    }

    Instant transmit_deadline() const noexcept {
        const auto timeout = host_.timeouts.transmit;
        return timeout == timeout.zero() ? never : now().instant + timeout;
    }

    /// Space, or an error: a connection that the server opens was refused.
    void has_space(Peer& peer, const Completion& completion) {
        of(peer).awaiting_space = false;
        if (completion.result > 0 && (completion.result & POLLERR) != 0 &&
            peer.connection->step() != Step::close)
            return lose(peer);
        peer.writable = true;
        if (of(peer).has_unsent()) send_rest(peer);
    }

    void send_rest(Peer& peer) {
        const std::array<std::string_view, 1> unsent{of(peer).unsent()};
        const net::Moved sent = net::send(peer.socket.get(), unsent, false);
        if (sent.kind == net::Moved::Kind::failed) return lose(peer);
        if (sent.kind == net::Moved::Kind::bytes) of(peer).sent(sent.size, transmit_deadline());
        if (of(peer).has_unsent()) await_space(peer);
    }

    void await_space(Peer& peer) {
        of(peer).awaiting_space = true;
        ring_.poll(peer.socket.get(), POLLOUT, about(Operation::await_space, peer));
    }

    void stop_awaiting_space(Peer& peer) {
        if (of(peer).awaiting_space)
            ring_.cancel(about(Operation::await_space, peer), about(Operation::cancel));
    }

    /// Shuts down behind the last byte, and not before it.
    void shut_down(Peer& peer) {
        if (is_in_batch(peer)) return postpone(peer);
        if (!of(peer).has_unsent()) finish_sending(peer);
    }

    void lose(Peer& peer, http::Outcome why = http::Outcome::peer_gone) {
        of(peer).drop_unsent();
        peer.connection->fail(why, now());
    }

    Host& host_;
    net::Ring ring_;
    net::BufferRing buffers_;
    bool has_buffers_ = false;
    SendBatch batch_;
    LoopConnections connections_;
    RingListenerWatch listener_watch_{ring_, connections_.acceptor()};
    std::vector<Pending> pending_;                        // by slot
    std::optional<std::span<const Completion>> arrived_;  // by the last wait
    bool completions_watched_ = false;
    bool stop_noted_ = false;
    std::string unparked_;  // borrowed by its connection until take_ownership()
};

}  // namespace

std::error_code run_io_uring(Host& host) { return run_io_uring_with(host, {}); }

std::error_code run_io_uring_with(Host& host, net::Ring::Features wanted) try {
    return run_loops(
        host, [wanted](Host& of, ConnectionLimit& limit, std::span<net::Listener> listeners) {
            return loop_of<RingLoop>(of, limit, listeners, wanted);
        });
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
