#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/now.h"
#include "engines/deadlines.h"
#include "engines/mailbox.h"
#include "engines/peer_table.h"
#include "engines/transfer.h"

namespace weir::engines {

/// Which peers of a loop are to be driven although no descriptor says so: those that got mail, those
/// that used up their turn, those whose deadline has come. A peer that is away is left alone: its
/// letters are kept, and its deadline is watched again once it is back.
class Agenda {
   public:
    explicit Agenda(PeerTable& peers) : peers_{peers}, mailbox_{std::make_shared<Mailbox>()} {}
    ~Agenda() { mailbox_->close(); }
    Agenda(const Agenda&) = delete;
    Agenda& operator=(const Agenda&) = delete;

    std::shared_ptr<Mailbox>& mailbox() noexcept { return mailbox_; }
    /// The mailbox is readable.
    void note_mail() noexcept { has_mail_ = true; }

    void send_away(Peer& peer) noexcept { peer.away = true; }
    void welcome_back(Peer& peer) noexcept {
        peer.away = false;
        if (!kept_.empty()) note_mail();
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
    void carry_out(Now now, Drive drive) {
        if (std::exchange(has_mail_, false)) deliver_mail(now, drive);
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
    void deliver_mail(Now now, Drive drive) {
        for (Mailbox::Letter& letter : std::exchange(kept_, {})) hand_in(letter, now, drive);
        for (Mailbox::Letter& letter : mailbox_->collect()) hand_in(letter, now, drive);
    }

    template <typename Drive>
    void hand_in(Mailbox::Letter& letter, Now now, Drive& drive) {
        Peer* const peer = peers_.find(letter.ticket);
        if (!peer) return;
        if (peer->away) return kept_.push_back(std::move(letter));
        deliver(letter, *peer, now);
        drive(*peer);
    }

    PeerTable& peers_;
    std::shared_ptr<Mailbox> mailbox_;
    Deadlines deadlines_;
    std::vector<std::uint32_t> unfinished_;  // slots
    std::vector<Mailbox::Letter> kept_;      // for those who are away
    bool has_mail_ = false;
};

}  // namespace weir::engines
