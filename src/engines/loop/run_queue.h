#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/now.h"
#include "engines/loop/deadlines.h"
#include "engines/peer/completion_queue.h"
#include "engines/peer/peer_table.h"
#include "engines/peer/transfer.h"

namespace weir::engines {

/// Which peers of a loop are to be driven although no descriptor says so: those that got mail, those
/// that used up their turn, those whose deadline has come. A peer that is away is left alone: its
/// completions are kept, and its deadline is watched again once it is back.
class RunQueue {
   public:
    explicit RunQueue(PeerTable& peers)
        : peers_{peers}, completions_{std::make_shared<CompletionQueue>()} {}
    ~RunQueue() { completions_->close(); }
    RunQueue(const RunQueue&) = delete;
    RunQueue& operator=(const RunQueue&) = delete;

    std::shared_ptr<CompletionQueue>& completions() noexcept { return completions_; }
    /// The completions is readable.
    void note_completions() noexcept { has_completions_ = true; }

    void lend(Peer& peer) noexcept { peer.away = true; }
    void take_back(Peer& peer) noexcept {
        peer.away = false;
        if (!kept_.empty()) note_completions();
    }

    /// `peer` used up its turn: it stands in line for the next.
    void postpone(Peer& peer) {
        if (!peer.unfinished) unfinished_.push_back(peer.slot);
        peer.unfinished = true;
    }

    /// The loop turns from `peer` to others, until then at the latest.
    void watch_deadline(const Peer& peer, Instant latest = never) {
        deadlines_.promise(peer.slot, std::min(peer.connection->deadline(), latest));
    }

    /// When something is to be done, unless a descriptor speaks first.
    Instant next() const noexcept {
        return unfinished_.empty() ? deadlines_.next() : Instant::min();
    }

    /// Calls `drive(peer)` for each whose time has come. It may close the peer.
    template <typename Drive>
    void run(Now now, Drive drive) {
        if (std::exchange(has_completions_, false)) deliver_completions(now, drive);
        for (const std::uint32_t slot : std::exchange(unfinished_, {})) {
            Peer* const peer = peers_.at(slot);
            if (!peer || !peer->unfinished) continue;
            peer->unfinished = false;
            drive(*peer);
        }
        while (const auto slot = deadlines_.take_due(now.instant)) {
            Peer* const peer = peers_.at(*slot);
            if (!peer || peer->away) continue;
            peer->connection->expire(now);
            drive(*peer);
        }
    }

   private:
    template <typename Drive>
    void deliver_completions(Now now, Drive drive) {
        for (CompletionQueue::Completion& completion : std::exchange(kept_, {}))
            hand_in(completion, now, drive);
        for (CompletionQueue::Completion& completion : completions_->collect())
            hand_in(completion, now, drive);
    }

    template <typename Drive>
    void hand_in(CompletionQueue::Completion& completion, Now now, Drive& drive) {
        Peer* const peer = peers_.find(completion.ticket.connection);
        if (!peer) return;
        if (peer->away) return kept_.push_back(std::move(completion));
        deliver(completion, *peer, now);
        drive(*peer);
    }

    PeerTable& peers_;
    std::shared_ptr<CompletionQueue> completions_;
    Deadlines deadlines_;
    std::vector<std::uint32_t> unfinished_;          // slots
    std::vector<CompletionQueue::Completion> kept_;  // for those who are away
    bool has_completions_ = false;
};

}  // namespace weir::engines
