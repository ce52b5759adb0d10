// io-uring: a thread per core, each with a ring (io_uring(7)); the kernel tells what it has done,
// not what could be done.
//
// Who waits:          each thread, in io_uring_enter(2), which hands over what is to be done and
//                     brings back what was. Accepting is asked for once for all connections, and
//                     receiving once in the life of each; the bytes are there when it is told.
// Where handlers run: inline, on the loop that owns the connection.
// What is shared:     as in `per-core`, the count of connections. Within a loop, 256 buffers of 4 KB:
//                     the kernel takes one when bytes have come, and gets it back before the next
//                     turn.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines, 16 bytes about
//                     what the kernel has in hand; no buffer. In the kernel, a request that waits.
// Calls per request:  send, and a share of an io_uring_enter that brings some twenty completions
//                     under load. A send that would have to wait is left to the kernel. Of a
//                     connection that lives for one request, recv is called, too: asking the kernel
//                     to receive, and canceling that, costs more.
//
// Where it breaks: what was handed over is in use until its completion. Memory that a send still
// reads must not move; a connection whose time is over can't just be dropped: its operations are
// canceled, and it goes when the last has come back. Bytes come whether they are wanted or not: they
// are parked, and who sends too far ahead is not received from until it is wanted again. And many
// places forbid io_uring.
//
// When it is right: where it is allowed, and every system call counts. On loopback, it and `per-core`
// cost the same within what can be measured.

#include <poll.h>

#include <algorithm>
#include <cassert>
#include <expected>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include "engines/entry_points.h"
#include "engines/loop/deadlines.h"
#include "engines/loop/loops.h"
#include "engines/peer/completion_queue.h"
#include "engines/peer/peer_table.h"
#include "engines/peer/transfer.h"
#include "engines/ring/ring_acceptor.h"
#include "engines/ring/ring_loop.h"
#include "engines/ring/ring_operation.h"
#include "engines/ring/ring_transfer.h"
#include "net/clock.h"
#include "net/io.h"
#include "net/ring.h"

namespace weir::engines {
namespace {

using http::Step;
using net::StopSignal;
using Completion = net::Ring::Completion;

// On their way to the kernel in one turn, and on the way back; more cost a system call or memory.
constexpr unsigned operations = 512;
constexpr unsigned completions = 4096;
// What one peer is sent before the others have their turn.
constexpr unsigned transmits_per_turn = 16;

class RingLoop {
   public:
    RingLoop(Host& host, ConnectionLimit& limit, std::span<net::Listener> listeners)
        : host_{host},
          limit_{limit},
          acceptor_{ring_, limit, listeners},
          workspace_{host.limits, host.timeouts, host.observer} {}
    ~RingLoop() { completions_->close(); }

    std::error_code open(net::Ring::Features wanted) {
        if (const auto error = ring_.open(operations, completions, wanted)) return error;
        return transfer_.open();
    }

    void run() {
        [[maybe_unused]] const auto error = ring_.enable();
        assert(!error && "a ring that was opened can be used, once");
        acceptor_.open();
        for (const auto seen : {StopSignal::State::running, StopSignal::State::draining})
            ring_.poll(host_.stop.descriptor(seen), POLLIN, false, about(Operation::hear_stop));
        hear_completions();
        do {
            accept_connections();
            const auto arrived = wait_for_completions();
            for (const Completion& completion : arrived) take(completion);
            obey_stop();
            deliver_completions();
            expire_deadlines();
        } while (!is_done());
    }

   private:
    bool is_stopping() const noexcept { return obeyed_ != StopSignal::State::running; }

    bool is_done() const noexcept {
        return is_stopping() && peers_.size() == 0 && acceptor_.is_closed();
    }

    void hear_completions() {
        ring_.poll(completions_->fd(), POLLIN, true, about(Operation::hear_completions));
    }

    std::span<const Completion> wait_for_completions() {
        const Instant until = std::min({deadlines_.next(), acceptor_.next(), cut_at_});
        const auto arrived = ring_.wait(net::wait_milliseconds(until, now_.instant));
        now_ = net::read_clock();
        return arrived;
    }

    void take(const Completion& completion) {
        switch (operation_of(completion.about)) {
            case Operation::hear_stop: return;  // its state is looked at in each turn
            case Operation::hear_completions:
                has_completions_ = true;
                if (completion.is_last()) hear_completions();
                return;
            case Operation::accept:
            case Operation::cancel_accept: return acceptor_.accepted(completion, now_);
            default: break;
        }
        Peer& peer = peer_of(completion.about);
        transfer_.completed(peer, completion, now_);
        if (is_cut_) peer.connection->fail(http::Outcome::stopped, now_);
        drive(peer);
        transfer_.release(completion);
    }

    void accept_connections() {
        acceptor_.accept(now_, is_stopping(),
                         [this](net::UniqueFd socket) { admit(std::move(socket)); });
    }

    void admit(net::UniqueFd socket) {
        Peer& peer = peers_.add();
        transfer_.meet(peer);
        peer.socket = std::move(socket);
        peer.address = net::PeerAddress::of_socket(peer.socket.get());
        peer.completions = &completions_;
        peer.connection = host_.connect(workspace_, peer, now_);
        if (is_stopping()) peer.connection->retire(now_);
        drive(peer);
    }

    void drive(Peer& peer) {
        http::Connection& connection = *peer.connection;
        unsigned transmits = 0;
        for (;;) {
            switch (connection.step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive:
                    if (!transfer_.receive(peer, now_)) return rest(peer);
                    break;
                case Step::handle: handle(peer, host_.handler, now_); break;
                case Step::wait:
                    if (!peer.broken) return rest(peer);
                    connection.fail(http::Outcome::peer_gone, now_);
                    break;
                case Step::transmit:
                    if (transfer_.is_sending(peer)) return rest(peer);
                    transfer_.transmit(peer, transmits++ < transmits_per_turn, now_);
                    break;
                case Step::exchange:
                    if (transfer_.receive(peer, now_)) break;
                    if (transfer_.is_sending(peer)) return rest(peer);
                    transfer_.transmit(peer, transmits++ < transmits_per_turn, now_);
                    break;
                case Step::close: return close(peer);
            }
        }
    }

    /// Before turning elsewhere: whatever happens to this peer next must bring the loop back to it.
    void rest(Peer& peer) {
        peer.connection->settle();
        deadlines_.promise(peer.slot, peer.connection->deadline());
        if (http::reads(peer.connection->step())) transfer_.listen(peer);
    }

    /// Not before the kernel has let go of it: until then, each completion leads here again.
    void close(Peer& peer) {
        if (!transfer_.withdraw(peer)) return;
        peers_.remove(peer);
        limit_.release();
        acceptor_.make_room();
    }

    void deliver_completions() {
        if (!std::exchange(has_completions_, false)) return;
        for (CompletionQueue::Completion& completion : completions_->collect()) {
            Peer* const peer = peers_.find(completion.ticket.connection);
            if (!peer) continue;
            deliver(completion, *peer, now_);
            drive(*peer);
        }
    }

    void expire_deadlines() {
        while (const auto slot = deadlines_.take_due(now_.instant)) {
            Peer* const peer = peers_.at(*slot);
            if (!peer) continue;
            peer->connection->expire(now_);
            drive(*peer);
        }
    }

    void obey_stop() {
        const auto state = host_.stop.state();
        if (state == StopSignal::State::running) return;
        if (std::exchange(obeyed_, state) == StopSignal::State::running) drain();
        if (state == StopSignal::State::now || now_.instant >= cut_at_) cut();
    }

    void drain() {
        cut_at_ = now_.instant + host_.options.stop_timeout;
        take_arrivals();
        peers_.each([this](Peer& peer) {
            peer.connection->retire(now_);
            drive(peer);
        });
    }

    /// A request that has arrived is taken before its connection hears of the stop. One look at the
    /// ring may bring less than all of it; one that brings nothing says that it was all.
    void take_arrivals() {
        constexpr int looks_max = 100;
        for (int looks = 0; looks < looks_max; ++looks) {
            const auto arrived = ring_.wait(0);
            if (arrived.empty()) return;
            for (const Completion& completion : arrived) take(completion);
        }
    }

    void cut() {
        if (std::exchange(is_cut_, true)) return;
        cut_at_ = never;
        acceptor_.close();
        peers_.each([this](Peer& peer) {
            peer.connection->fail(http::Outcome::stopped, now_);
            drive(peer);
        });
    }

    Host& host_;
    ConnectionLimit& limit_;
    net::Ring ring_;
    RingTransfer transfer_{ring_};
    RingAcceptor acceptor_;
    http::Workspace workspace_;
    PeerTable peers_;
    Deadlines deadlines_;
    std::shared_ptr<CompletionQueue> completions_ = std::make_shared<CompletionQueue>();
    Now now_ = net::read_clock();
    Instant cut_at_ = never;  // while draining
    StopSignal::State obeyed_ = StopSignal::State::running;
    bool has_completions_ = false;
    bool is_cut_ = false;
};

std::expected<Loop, std::error_code> open_loop(Host& host, ConnectionLimit& limit,
                                               std::span<net::Listener> listeners,
                                               net::Ring::Features wanted) {
    auto loop = std::make_unique<RingLoop>(host, limit, listeners);
    if (const auto error = loop->open(wanted)) return std::unexpected{error};
    return [loop = std::move(loop)] {
        const net::SigpipeBlocked sigpipe_blocked;
        loop->run();
    };
}

}  // namespace

std::error_code run_io_uring(Host& host) { return run_io_uring_with(host, {}); }

std::error_code run_io_uring_with(Host& host, net::Ring::Features wanted) try {
    return run_loops(
        host, [wanted](Host& of, ConnectionLimit& limit, std::span<net::Listener> listeners) {
            return open_loop(of, limit, listeners, wanted);
        });
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
