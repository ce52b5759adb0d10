#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>

#include "base/now.h"
#include "engines/gate.h"
#include "engines/inbox.h"
#include "net/accept.h"
#include "net/clock.h"
#include "net/listener.h"

namespace weir::engines {

/// What a loop gets its connections from: listeners, or a thread that accepts for several loops.
struct Entrance {
    // NOLINTBEGIN(google-explicit-constructor): either is an entrance
    Entrance(std::span<net::Listener> own_listeners) noexcept : listeners{own_listeners} {}
    Entrance(Inbox<net::Accepted>& of_loop) noexcept : inbox{&of_loop} {}
    // NOLINTEND(google-explicit-constructor)

    std::span<net::Listener> listeners;
    Inbox<net::Accepted>* inbox = nullptr;
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
        inbox_->close();
        for (std::size_t left = inbox_->collect().size(); left > 0; --left) gate_.leave();
    }

    /// Somebody may wait: accept() looks.
    void knock() noexcept { knocked_ = true; }

    /// While there is no room (see Gate::pause), or a newcomer has yet to speak, nobody is looked
    /// for: the loop is not to be woken by listeners.
    bool is_paused() const noexcept { return resume_at_ != never; }
    void pause(Instant now) noexcept {
        is_patient_ = false;
        resume_at_ = now + Gate::pause;
    }
    void resume() noexcept {
        is_patient_ = false;
        resume_at_ = never;
        knock();
    }

    /// When the loop is to come back, unless a listener's descriptor speaks first.
    Instant next() const noexcept { return knocked_ ? Instant::min() : resume_at_; }

    /// In each turn. `admit(accepted)` for those that wait, where somebody has knocked; a queue that
    /// is longer than a turn is left to the next. It says whether the newcomer is silent: has been
    /// looked at, and sent nothing yet. Pauses where there is no room, or somebody is silent.
    /// `last`: those that wait when it is first said are let in, without a knock; then the door
    /// closes.
    template <typename Admit>
    void accept(Instant now, bool last, Admit admit) {
        if (last && !std::exchange(last_, true)) count_queued();
        if (is_patient_) end_patience();
        if (now >= resume_at_) resume();
        if (!std::exchange(knocked_, false)) return;
        if (inbox_)
            for (net::Accepted& accepted : inbox_->collect()) admit(accepted);
        for (auto& listener : listeners_) {
            const auto kind = accept_turn(listener, admit);
            if (kind == net::Accepted::Kind::exhausted) return pause(now);
            if (last_ && (queued_ == 0 || kind == net::Accepted::Kind::none)) listener.close();
        }
        if (last_ && !listeners_are_closed()) knock();
        if (is_patient_) begin_patience(now);
    }

   private:
    static constexpr unsigned accepts_per_turn = 64;
    // A client that opens a connection for each request is accepted before its request is there: the
    // loop would be woken for the one and then for the other, and of all that a short connection
    // costs, waking up is the most. So whoever comes behind a silent newcomer waits until the loop is
    // woken by anything else, which is mostly that newcomer's request, and for so long at most.
    // Each time that it was in vain, one more is let in before that: a silent crowd holds up nobody.
    static constexpr std::chrono::milliseconds patience{2};

    void begin_patience(Instant now) noexcept {
        resume_at_ = now + patience;
        patient_since_ = net::precise_time();
    }

    void end_patience() noexcept {
        const bool in_vain = net::precise_time() - patient_since_ >= patience;
        silent_max_ = in_vain ? std::min(silent_max_ + 1, accepts_per_turn) : 1;
        resume();
    }

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
        unsigned silent = 0;
        for (unsigned accepts = 0; accepts < accepts_per_turn && queued_ != 0; ++accepts) {
            net::Accepted accepted = gate_.accept(listener);
            kind = accepted.kind;
            if (kind == connection && admit(accepted)) ++silent;
            if (kind != connection && kind != gone) break;
            if (last_)
                --queued_;
            else if (silent >= silent_max_)
                break;
        }
        is_patient_ = is_patient_ || (silent > 0 && !last_);
        return kind;
    }

    static constexpr std::size_t queue_max = 1U << 20;

    Gate& gate_;
    std::span<net::Listener> listeners_;
    Inbox<net::Accepted>* inbox_;
    Instant resume_at_ = never;
    std::size_t queued_ = queue_max;  // that may still come in, once it is the last time
    bool last_ = false;
    bool is_patient_ = false;  // paused for a newcomer's sake
    unsigned silent_max_ = 1;  // that are let in before it is
    std::chrono::nanoseconds patient_since_{0};
    bool knocked_ = false;
};

}  // namespace weir::engines
