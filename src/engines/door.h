#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "base/now.h"
#include "engines/gate.h"
#include "engines/inbox.h"
#include "net/accept.h"
#include "net/listener.h"

namespace weir::engines {

/// What a loop gets its connections from: listeners, or a thread that accepts for several loops.
struct Entrance {
    // NOLINTBEGIN(google-explicit-constructor): either is an entrance
    Entrance(std::span<net::Listener> own_listeners) noexcept : listeners{own_listeners} {}
    Entrance(Inbox& of_loop) noexcept : inbox{&of_loop} {}
    // NOLINTEND(google-explicit-constructor)

    std::span<net::Listener> listeners;
    Inbox* inbox = nullptr;
};

/// Where the connections of a loop come in: so many in a turn, none while the house is full, and at
/// the end all that wait before it closes. What tells the loop that somebody waits is its own.
class Door {
   public:
    Door(Gate& gate, Entrance entrance) noexcept
        : gate_{gate}, listeners_{entrance.listeners}, inbox_{entrance.inbox} {}

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
        inbox_->finish();
        for (std::size_t left = inbox_->collect().size(); left > 0; --left) gate_.leave();
    }

    /// Somebody may wait: accept() looks.
    void knock() noexcept { knocked_ = true; }

    /// While there is no room, nobody is looked for: see Gate::pause.
    bool is_paused() const noexcept { return resume_at_ != never; }
    Instant resume_at() const noexcept { return resume_at_; }
    void pause(Instant now) noexcept { resume_at_ = now + Gate::pause; }
    void resume() noexcept {
        resume_at_ = never;
        knock();
    }

    /// When the loop is to come back, unless a listener's descriptor speaks first.
    Instant next() const noexcept { return knocked_ ? Instant::min() : resume_at_; }

    /// `admit(accepted)` for those that wait, where somebody has knocked; a queue that is longer
    /// than a turn is left to the next. False where there is no room: the loop pauses then.
    /// `last`: those that wait when it is first said are let in, without a knock; then the door
    /// closes.
    template <typename Admit>
    bool accept(bool last, Admit admit) {
        if (last && !std::exchange(last_, true)) count_queued();
        if (!std::exchange(knocked_, false)) return true;
        if (inbox_)
            for (net::Accepted& accepted : inbox_->collect()) admit(accepted);
        for (auto& listener : listeners_) {
            const auto kind = accept_turn(listener, admit);
            if (kind == net::Accepted::Kind::exhausted) return false;
            if (last_ && (queued_ == 0 || kind == net::Accepted::Kind::none)) listener.close();
        }
        if (last_ && !listeners_are_closed()) knock();
        return true;
    }

   private:
    static constexpr unsigned accepts_per_turn = 64;

    bool listeners_are_closed() const noexcept {
        return std::ranges::all_of(listeners_, [](const auto& each) { return each.fd() < 0; });
    }

    // What waits in a queue when its listener closes is reset by the kernel. But a crowd that goes on
    // arriving must not keep the house open.
    void count_queued() noexcept {
        queued_ = 0;
        for (const auto& listener : listeners_) queued_ += std::min(listener.queued(), queue_max);
        knock();
    }

    template <typename Admit>
    net::Accepted::Kind accept_turn(net::Listener& listener, Admit admit) {
        using enum net::Accepted::Kind;
        net::Accepted::Kind kind = none;
        for (unsigned accepts = 0; accepts < accepts_per_turn && queued_ != 0; ++accepts) {
            net::Accepted accepted = gate_.accept(listener);
            kind = accepted.kind;
            if (kind == connection) admit(accepted);
            if (kind != connection && kind != gone) break;
            if (last_) --queued_;
        }
        return kind;
    }

    static constexpr std::size_t queue_max = 1U << 20;

    Gate& gate_;
    std::span<net::Listener> listeners_;
    Inbox* inbox_;
    Instant resume_at_ = never;
    std::size_t queued_ = queue_max;  // that may still come in, once it is the last time
    bool last_ = false;
    bool knocked_ = false;
};

}  // namespace weir::engines
