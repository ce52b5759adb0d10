#include "engines/threads/patience.h"

#include <utility>

#include "net/io.h"

namespace weir::engines {

using http::Standing;

void Patience::look(const Peer& peer, Now now) noexcept {
    const Standing standing = peer.connection->standing();
    if (peer.number() == number_ && standing == standing_) return;
    number_ = peer.number();
    standing_ = standing;
    ends_at_ = now.instant + patience;
    moved_.reset();
}

Patience::Verdict Patience::judge(const Peer& peer, bool is_retired, Now now) noexcept {
    const bool is_working = standing_ == Standing::working;
    ends_at_ = now.instant + (is_working ? transfer_patience : patience);
    const bool stays = is_working ? keeps_pace(peer) : standing_ == Standing::idle;
    if (!is_retired) return Verdict::retire;
    return stays ? Verdict::stay : Verdict::cut;
}

/// True at the first look, and where the system doesn't count.
bool Patience::keeps_pace(const Peer& peer) noexcept {
    const auto before = std::exchange(moved_, net::moved_bytes(peer.socket.get()));
    return !before || !moved_ || *moved_ - *before >= pace_bytes_min;
}

}  // namespace weir::engines
