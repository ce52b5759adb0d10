#include "engines/threads/peer_time_slice.h"

#include <utility>

#include "net/io.h"

namespace weir::engines {

using http::CloseImpact;

void PeerTimeSlice::look(const Peer& peer, Now now) noexcept {
    const CloseImpact impact = peer.connection->close_impact();
    if (peer.number() == number_ && impact == impact_) return;
    number_ = peer.number();
    impact_ = impact;
    ends_at_ = now.instant + length;
    moved_.reset();
}

PeerTimeSlice::Verdict PeerTimeSlice::judge(const Peer& peer, bool is_retired, Now now) noexcept {
    const bool is_working = impact_ == CloseImpact::working;
    ends_at_ = now.instant + (is_working ? transfer_length : length);
    const bool stays = is_working ? keeps_pace(peer) : impact_ == CloseImpact::idle;
    if (!is_retired) return Verdict::retire;
    return stays ? Verdict::stay : Verdict::cut;
}

/// True at the first check, and if the system doesn't count.
bool PeerTimeSlice::keeps_pace(const Peer& peer) noexcept {
    const auto before = std::exchange(moved_, net::moved_bytes(peer.socket.get()));
    return !before || !moved_ || *moved_ - *before >= pace_bytes_min;
}

}  // namespace weir::engines
