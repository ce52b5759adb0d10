#include "engines/threads/outbound_peers.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "engines/loop/turn.h"
#include "engines/peer/transfer.h"

namespace weir::engines {

using http::Step;

void OutboundPeers::adopt(http::Outbound& outbound, std::shared_ptr<CompletionQueue>& completions,
                          Now now) try {
    if (peers_.size() == most_) return;
    auto peer = std::make_unique<Peer>();
    peer->slot = 1;  // the thread's accepted peer has 0
    peer->generation = ++last_number_;
    peer->adopt(outbound, completions, now);
    // The request may have been canceled already.
    if (peer->connection->step() == Step::close) return peer->close();
    peers_.push_back(std::move(peer));
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

void OutboundPeers::deliver(Completion& completion, std::span<char> buffer, Now now) {
    const std::uint64_t number = completion.ticket().connection;
    const auto found = std::ranges::find_if(
        peers_, [number](const auto& peer) { return peer->number() == number; });
    if (found == peers_.end()) return;
    completion.deliver(*(*found)->connection, now);
    drive(**found, buffer, now);
    drop_closed();
}

std::size_t OutboundPeers::watch(std::span<pollfd> entries) const noexcept {
    for (std::size_t i = 0; i < peers_.size(); ++i) {
        const Step step = peers_[i]->connection->step();
        const int for_bytes = http::reads(step) ? POLLIN | POLLRDHUP : 0;
        const int for_space = http::sends(step) ? POLLOUT : 0;
        entries[i] = {peers_[i]->socket.get(), static_cast<short>(for_bytes | for_space), 0};
    }
    return peers_.size();
}

Instant OutboundPeers::next() const noexcept {
    Instant next = never;
    for (const auto& peer : peers_) {
        if (peer->unfinished) return Instant::min();
        next = std::min(next, peer->connection->deadline());
    }
    return next;
}

/// None is added or removed between poll(2) and this call, so the entries are those of the peers.
void OutboundPeers::take(std::span<const pollfd> entries, std::span<char> buffer, Now now) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        Peer& peer = *peers_[i];
        peer.note(static_cast<std::uint16_t>(entries[i].revents));
        const bool is_due = now.instant >= peer.connection->deadline();
        if (entries[i].revents == 0 && !is_due && !peer.unfinished) continue;
        if ((entries[i].revents & POLLIN) == 0) expire(*peer.connection, peer.socket.get(), now);
        drive(peer, buffer, now);
    }
    drop_closed();
}

void OutboundPeers::drive(Peer& peer, std::span<char> buffer, Now now) {
    Turn turn;
    while (turn.goes_on()) {
        switch (peer.connection->step()) {
            case Step::drain: finish_sending(peer); [[fallthrough]];
            case Step::receive: turn.count(receive(peer, buffer, now)); break;
            case Step::handle: std::unreachable();  // no requests come from its peer
            case Step::wait: turn.count(fail_if_broken(peer, now)); break;
            case Step::transmit: turn.count(transmit(peer, now)); break;
            case Step::exchange: turn.count(exchange(peer, buffer, now)); break;
            case Step::close: return peer.close();
        }
    }
    peer.unfinished = peer.connection->take_ownership(now) || turn.is_used_up();
}

void OutboundPeers::close_all(Now now) noexcept {
    for (const auto& peer : peers_) {
        peer->connection->fail(http::Outcome::stopped, now);
        peer->close();
    }
    peers_.clear();
}

void OutboundPeers::drop_closed() noexcept {
    std::erase_if(peers_, [](const auto& peer) { return !peer->connection; });
}

}  // namespace weir::engines
