#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

#include "base/troubles.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/inbox.h"
#include "net/accept.h"
#include "net/listener.h"
#include "weir/base/now.h"

namespace weir::engines {

/// The source of a loop's connections: listeners, or a thread that accepts for several loops.
struct ConnectionSource {
    // NOLINTBEGIN(google-explicit-constructor): either is a source
    ConnectionSource(std::span<net::Listener> own_listeners) noexcept : listeners{own_listeners} {}
    ConnectionSource(Inbox<net::Accepted>& of_loop) noexcept : inbox{&of_loop} {}
    // NOLINTEND(google-explicit-constructor)

    std::span<net::Listener> listeners;
    Inbox<net::Accepted>* inbox = nullptr;
};

/// Accepts the connections of a loop: a limited number in each turn, and none while it is paused.
/// When the server stops, it accepts the connections that are queued, and closes. An acceptor knows
/// no poller: the loop watches the listeners while is_paused() is false, and calls note_arrivals().
///
/// A new connection may have to wait for the request of the one before it. A client that opens a
/// connection for each request is accepted before its request has arrived. The loop would be woken
/// twice for it: by the connection, and by the request. Waking up is the largest part of the cost
/// of a short connection. So if a new connection has sent nothing yet, the acceptor pauses: it
/// leaves the rest of the queue until any other event wakes the loop, which mostly is that request,
/// and for 2 ms at most.
///
/// Many clients may connect and send nothing, as those of a load generator do at its start. They
/// must not wait for each other: otherwise the listener's queue overflows, the kernel drops their
/// SYN, and they try again a second later. So the acceptor pauses eight times, and once more for
/// each connection that closes. docs/decisions/0010-a-new-connection-may-wait-for-its-request.md
/// has the figures.
class Acceptor {
   public:
    Acceptor(ConnectionLimit& limit, ConnectionSource source) noexcept
        : limit_{limit}, listeners_{source.listeners}, inbox_{source.inbox} {}

    std::span<const net::Listener> listeners() const noexcept { return listeners_; }
    /// Readable when the inbox has connections; the loop watches it like a listener. -1: there is
    /// no inbox.
    int inbox_fd() const noexcept { return inbox_ ? inbox_->fd() : -1; }
    bool is_closed() const noexcept {
        return listeners_are_closed() && (!inbox_ || inbox_->is_closed());
    }
    /// The kernel resets the connections that are still queued.
    void close() {
        for (auto& listener : listeners_) listener.close();
        if (!inbox_) return;
        inbox_->close();
        for (const net::Accepted& each : inbox_->collect()) limit_.release(each.peer);
    }

    /// A queue may have connections: the next accept() checks.
    void note_arrivals() noexcept { arrivals_noted_ = true; }
    /// A connection of this loop has closed, so that another one can be accepted.
    void connection_closed(const net::PeerAddress& address) noexcept {
        limit_.release(address);
        deferrals_left_ = std::min(deferrals_left_ + 1, deferrals_max);
        if (is_paused()) resume();
    }

    /// True while the limit is reached, or descriptors or memory are short (see
    /// ConnectionLimit::pause), or while a new connection has sent nothing. The listeners must not
    /// wake the loop then.
    bool is_paused() const noexcept { return resume_at_ != never; }
    void pause(Instant now) noexcept {
        is_deferred_ = false;
        resume_at_ = now + ConnectionLimit::pause;
    }
    /// The number of waiting connections that the last accept() could not accept.
    std::size_t refused() const noexcept { return refused_; }
    /// The time at which the loop must call accept(), unless a descriptor wakes it first.
    Instant next() const noexcept { return arrivals_noted_ ? Instant::min() : resume_at_; }

    /// In each turn: calls `admit(accepted)` for the connections that have arrived. If a queue is
    /// longer than a turn, the next turn goes on with it before it is reported again: epoll(7)
    /// reports the ready descriptors one after the other, and beside thousands of busy sockets that
    /// takes many turns. `admit` returns whether the connection is silent: the loop has tried to
    /// receive, and the peer has sent nothing yet. If `admit` throws std::bad_alloc, it has closed
    /// the connection, and the acceptor pauses. `last`: the server stops. Connections that are
    /// queued when this is first true are accepted; then the acceptor closes.
    template <typename Admit>
    void accept(Instant now, bool last, Admit admit) {
        refused_ = 0;
        if (last && !std::exchange(last_, true)) count_queued();
        if (is_deferred_ || now >= resume_at_) resume();
        if (arrivals_noted_) [[unlikely]]
            accept_arrivals(now, admit);
    }

   private:
    static constexpr unsigned accepts_per_turn = 64;
    static constexpr std::chrono::milliseconds deferral{2};
    static constexpr unsigned deferrals_max = 8;

    void resume() noexcept {
        is_deferred_ = false;
        resume_at_ = never;
        note_arrivals();
    }

    void refuse(Instant now) noexcept {
        for (const auto& listener : listeners_) refused_ += listener.waiting();
        if (refused_ != 0) limit_.note_refusal();
        pause(now);
    }

    bool listeners_are_closed() const noexcept {
        return std::ranges::all_of(listeners_, [](const auto& each) { return each.fd() < 0; });
    }

    // When a listener closes, the kernel resets the connections in its queue, so these are accepted
    // first. Later connections are not counted: otherwise a server to which clients always connect
    // would never stop.
    void count_queued() noexcept {
        queued_ = 0;
        for (const auto& listener : listeners_) queued_ += std::min(listener.queued(), queue_max);
        note_arrivals();
    }

    template <typename Admit>
    void accept_arrivals(Instant now, Admit& admit) {
        arrivals_noted_ = false;
        if (inbox_)
            for (net::Accepted& accepted : inbox_->collect()) admit_one(accepted, admit);
        for (auto& listener : listeners_) {
            if (listener.fd() < 0) continue;  // closed
            const auto kind = accept_turn(listener, admit);
            if (kind == net::Accepted::Kind::exhausted) return refuse(now);
            if (last_ && (queued_ == 0 || kind == net::Accepted::Kind::none)) listener.close();
            if (kind != net::Accepted::Kind::none && !is_deferred_) note_arrivals();
        }
        if (last_ && !listeners_are_closed()) note_arrivals();
        if (is_deferred_) resume_at_ = now + deferral;
    }

    enum class AdmitResult : std::uint8_t { silent, speaks, has_no_room };

    template <typename Admit>
    AdmitResult admit_one(net::Accepted& accepted, Admit& admit) try {
        return admit(accepted) ? AdmitResult::silent : AdmitResult::speaks;
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        limit_.release(accepted.peer);
        return AdmitResult::has_no_room;
    }

    template <typename Admit>
    net::Accepted::Kind accept_turn(net::Listener& listener, Admit& admit) {
        using enum net::Accepted::Kind;
        net::Accepted::Kind kind = none;
        for (unsigned accepts = 0; accepts < accepts_per_turn && queued_ != 0; ++accepts) {
            net::Accepted accepted = limit_.accept(listener);
            kind = accepted.kind;
            if (kind != connection && kind != gone) break;
            const auto admitted =
                kind == connection ? admit_one(accepted, admit) : AdmitResult::speaks;
            if (last_) --queued_;
            if (admitted == AdmitResult::has_no_room) return exhausted;
            if (!last_ && admitted == AdmitResult::silent && deferrals_left_ > 0) {
                --deferrals_left_;
                is_deferred_ = true;
                break;
            }
        }
        return kind;
    }

    static constexpr std::size_t queue_max = 1U << 20;

    ConnectionLimit& limit_;
    std::span<net::Listener> listeners_;
    Inbox<net::Accepted>* inbox_;
    Instant resume_at_ = never;
    std::size_t queued_ = queue_max;  // connections that may still be accepted, once `last_` is set
    bool last_ = false;
    bool is_deferred_ = false;  // paused because a new connection is silent
    unsigned deferrals_left_ = deferrals_max;
    bool arrivals_noted_ = false;
    std::size_t refused_ = 0;
};

}  // namespace weir::engines
