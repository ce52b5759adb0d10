#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/troubles.h"
#include "engines/loop/deadlines.h"
#include "engines/peer/completion_queue.h"
#include "engines/peer/peer_table.h"
#include "weir/base/now.h"

namespace weir::engines {

/// The peers that a loop must run although no descriptor reports them: those with a completion (a
/// response or a wake-up from another thread), those whose turn was over too soon, and those whose
/// deadline has passed. A RunQueue knows no poller, so that every kind of loop can use it.
///
/// A peer may be detached, for another thread. The loop does not run it until reattach(), and keeps its
/// completions until then.
class RunQueue {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    explicit RunQueue(PeerTable& peers)
        : peers_{peers}, completions_{std::make_shared<CompletionQueue>()} {}
    ~RunQueue() { completions_->close(); }
    RunQueue(const RunQueue&) = delete;
    RunQueue& operator=(const RunQueue&) = delete;

    /// The queue in which other threads leave completions. Its descriptor wakes the loop, which
    /// then calls note_completions().
    std::shared_ptr<CompletionQueue>& completions() noexcept { return completions_; }
    void note_completions() noexcept { has_completions_ = true; }
    /// At the begin of a turn, on the loop's thread.
    void enter() noexcept { completions_->enter(); }

    /// Reserves memory for a new peer, so that no function below needs any. Throws std::bad_alloc.
    void reserve() {
        const std::size_t slots = peers_.slots_used();
        if (slots <= detached_.size()) return;
        deadlines_.reserve(slots);
        // A slot may be listed twice: for a peer that has gone since, and for the next one.
        unfinished_.reserve(2 * std::max(slots, 2 * detached_.size()));
        resumed_.reserve(unfinished_.capacity());
        detached_.resize(slots);
    }

    void detach(Peer& peer) noexcept {
        detached_[peer.slot] = true;
        peer.unfinished = false;  // the thread that has the peer finishes its turn
    }
    void reattach(const Peer& peer) noexcept {
        detached_[peer.slot] = false;
        if (!kept_.empty()) note_completions();
    }
    bool is_detached(const Peer& peer) const noexcept {
        return peer.slot < detached_.size() && detached_[peer.slot];
    }

    /// The turn of `peer` is over, but there may be more to do: it waits in line for the next.
    void postpone(Peer& peer) {
        if (!peer.unfinished) unfinished_.push_back(peer.slot);
        peer.unfinished = true;
    }

    /// Brings the loop back to `peer` at its deadline or at `latest`, whichever is first.
    void watch_deadline(const Peer& peer, Instant latest = never) {
        deadlines_.schedule(peer.slot, std::min(peer.connection->deadline(), latest));
    }

    /// The time at which a peer is due, unless a descriptor wakes the loop first.
    Instant next() const noexcept {
        const bool is_due = !unfinished_.empty() || completions_->has_own();
        return is_due ? Instant::min() : deadlines_.next();
    }

    /// Calls `drive(peer)` for each peer that has a completion, or whose turn was over. The call may
    /// close the peer. Calls `adopt(outbound)` for each connection that is to be opened.
    template <typename Drive, typename Adopt>
    void run(Now now, Drive drive, Adopt adopt) {
        if (has_completions_ || completions_->has_own()) deliver_completions(now, drive, adopt);
        if (!unfinished_.empty()) resume_unfinished(drive);
    }

    bool has_due(Instant now) const noexcept { return deadlines_.next() <= now; }
    /// Calls `expire(peer)` and `drive(peer)` for each peer whose deadline may have passed.
    template <typename Expire, typename Drive>
    void run_due(Instant now, Expire expire, Drive drive) {
        while (const auto slot = deadlines_.take_due(now)) {
            Peer* const peer = peers_.at(*slot);
            if (!peer || is_detached(*peer)) continue;
            expire(*peer);
            drive(*peer);
        }
    }

   private:
    template <typename Drive>
    void resume_unfinished(Drive& drive) {
        resumed_.swap(unfinished_);
        for (const std::uint32_t slot : resumed_) {
            Peer* const peer = peers_.at(slot);
            // A detached peer belongs to another thread.
            if (!peer || is_detached(*peer) || !peer->unfinished) continue;
            peer->unfinished = false;
            drive(*peer);
        }
        resumed_.clear();
    }

    /// First those that were kept: the order of a peer's completions stays.
    template <typename Drive, typename Adopt>
    void deliver_completions(Now now, Drive& drive, Adopt& adopt) {
        has_completions_ = false;
        kept_.erase(deliver(kept_, now, drive, adopt), kept_.end());
        auto all = completions_->collect();
        all.erase(deliver(all, now, drive, adopt), all.end());
        if (!all.empty()) keep(all);
    }

    /// Moves the completions for detached peers to the front, and returns their end.
    /// Completions for one peer that follow each other are delivered before it is driven: its
    /// responses may leave in one send.
    template <typename Drive, typename Adopt>
    auto deliver(std::vector<Completion>& all, Now now, Drive& drive, Adopt& adopt) {
        auto detached = all.begin();
        for (auto each = all.begin(); each != all.end(); ++each) {
            if (each->outbound()) {
                adopt(std::move(each->outbound()));
                continue;
            }
            const std::uint64_t number = each->ticket().connection;
            Peer* const peer = peers_.find(number);
            if (!peer) continue;
            if (is_detached(*peer)) {
                std::swap(*detached++, *each);
                continue;
            }
            each->deliver(*peer->connection, now);
            const auto next = std::next(each);
            const bool more_follow =
                next != all.end() && !next->outbound() && next->ticket().connection == number;
            if (!more_follow) drive(*peer);
        }
        return detached;
    }

    /// Without memory for new completions, they are dropped, as in CompletionQueue.
    void keep(std::vector<Completion>& all) noexcept try {
        kept_.insert(kept_.end(), std::move_iterator{all.begin()}, std::move_iterator{all.end()});
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        for (Completion& each : all) each.drop(http::Outcome::out_of_memory);
    }

    PeerTable& peers_;
    std::shared_ptr<CompletionQueue> completions_;
    Deadlines deadlines_;
    std::vector<std::uint32_t> unfinished_;  // slots
    std::vector<std::uint32_t> resumed_;     // slots; empty, and kept for its memory
    std::vector<Completion> kept_;           // for detached peers
    std::vector<bool> detached_;             // by slot
    bool has_completions_ = false;
};

}  // namespace weir::engines
