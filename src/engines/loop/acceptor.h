#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>

#include "base/now.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/inbox.h"
#include "net/accept.h"
#include "net/listener.h"

namespace weir::engines {

/// What a loop gets its connections from: listeners, or a thread that accepts for several loops.
struct ConnectionSource {
    // NOLINTBEGIN(google-explicit-constructor): either is an source
    ConnectionSource(std::span<net::Listener> own_listeners) noexcept : listeners{own_listeners} {}
    ConnectionSource(Inbox<net::Accepted>& of_loop) noexcept : inbox{&of_loop} {}
    // NOLINTEND(google-explicit-constructor)

    std::span<net::Listener> listeners;
    Inbox<net::Accepted>* inbox = nullptr;
};

/// Where the connections of a loop come in: so many in a turn, none while the house is full, and at
/// the end all that wait before it closes. What tells the loop that somebody waits is its own.
class Acceptor {
   public:
    Acceptor(ConnectionLimit& limit, ConnectionSource source) noexcept
        : limit_{limit}, listeners_{source.listeners}, inbox_{source.inbox} {}

    std::span<const net::Listener> listeners() const noexcept { return listeners_; }
    /// Readable when the inbox has something, which is a knock; -1 where there is none.
    int inbox_fd() const noexcept { return inbox_ ? inbox_->fd() : -1; }
    bool is_closed() const noexcept {
        return listeners_are_closed() && (!inbox_ || inbox_->is_closed());
    }
    /// What still waits is reset.
    void close() {
        for (auto& listener : listeners_) listener.close();
        if (!inbox_) return;
        inbox_->close();
        for (std::size_t left = inbox_->collect().size(); left > 0; --left) limit_.release();
    }

    /// Somebody may wait: accept() looks.
    void note_arrivals() noexcept { arrivals_noted_ = true; }
    /// A connection of this loop has closed: there is room.
    void connection_closed() noexcept {
        limit_.release();
        deferrals_left_ = std::min(deferrals_left_ + 1, deferrals_max);
        if (is_paused()) resume();
    }

    /// While there is no room (see ConnectionLimit::pause), or a newcomer has yet to speak, nobody is looked
    /// for: the loop is not to be woken by listeners.
    bool is_paused() const noexcept { return resume_at_ != never; }
    void pause(Instant now) noexcept {
        is_deferred_ = false;
        resume_at_ = now + ConnectionLimit::pause;
    }
    /// When the loop is to come back, unless a listener's descriptor speaks first.
    Instant next() const noexcept { return arrivals_noted_ ? Instant::min() : resume_at_; }

    /// In each turn. `admit(accepted)` for those that wait, where somebody has knocked; a queue that
    /// is longer than a turn is left to the next. It says whether the newcomer is silent: has been
    /// looked at, and sent nothing yet. Pauses where there is no room, or somebody is silent.
    /// `last`: those that wait when it is first said are let in, without a knock; then the acceptor
    /// closes.
    template <typename Admit>
    void accept(Instant now, bool last, Admit admit) {
        if (last && !std::exchange(last_, true)) count_queued();
        if (is_deferred_ || now >= resume_at_) resume();
        if (!std::exchange(arrivals_noted_, false)) return;
        if (inbox_)
            for (net::Accepted& accepted : inbox_->collect()) admit(accepted);
        for (auto& listener : listeners_) {
            const auto kind = accept_turn(listener, admit);
            if (kind == net::Accepted::Kind::exhausted) return pause(now);
            if (last_ && (queued_ == 0 || kind == net::Accepted::Kind::none)) listener.close();
        }
        if (last_ && !listeners_are_closed()) note_arrivals();
        if (is_deferred_) resume_at_ = now + deferral;
    }

   private:
    static constexpr unsigned accepts_per_turn = 64;
    // A client that opens a connection for each request is accepted before its request is there: the
    // loop would be woken for the one and then for the other, and of all that a short connection
    // costs, waking up is the most. So whoever comes behind a silent newcomer waits until the loop is
    // woken by anything else, which is mostly that newcomer's request, and for so long at most.
    static constexpr std::chrono::milliseconds deferral{2};
    // So many times, and once more for each connection that closes. A crowd that comes to stay must not
    // wait: what the listener's queue can't hold, the kernel drops, and its peer is a second late.
    static constexpr unsigned deferrals_max = 8;

    void resume() noexcept {
        is_deferred_ = false;
        resume_at_ = never;
        note_arrivals();
    }

    bool listeners_are_closed() const noexcept {
        return std::ranges::all_of(listeners_, [](const auto& each) { return each.fd() < 0; });
    }

    // What waits in a queue when its listener closes is reset by the kernel. But a crowd that goes on
    // arriving must not keep the house open.
    void count_queued() noexcept {
        queued_ = 0;
        for (const auto& listener : listeners_) queued_ += std::min(listener.queued(), queue_max);
        note_arrivals();
    }

    template <typename Admit>
    net::Accepted::Kind accept_turn(net::Listener& listener, Admit admit) {
        using enum net::Accepted::Kind;
        net::Accepted::Kind kind = none;
        for (unsigned accepts = 0; accepts < accepts_per_turn && queued_ != 0; ++accepts) {
            net::Accepted accepted = limit_.accept(listener);
            kind = accepted.kind;
            if (kind != connection && kind != gone) break;
            const bool is_silent = kind == connection && admit(accepted);
            if (last_) {
                --queued_;
            } else if (is_silent && deferrals_left_ > 0) {
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
    std::size_t queued_ = queue_max;  // that may still come in, once it is the last time
    bool last_ = false;
    bool is_deferred_ = false;  // paused for a newcomer's sake
    unsigned deferrals_left_ = deferrals_max;
    bool arrivals_noted_ = false;
};

}  // namespace weir::engines
