#pragma once

#include <cstdint>

#include "engines/peer/giving_way.h"
#include "engines/peer/peer_table.h"

namespace weir::engines {

struct EveryPeer {
    bool operator()(const Peer& /*peer*/) const noexcept { return true; }
};

/// The peers of a table that `may_end(peer)`. `give_up(peer)` is Crowd's.
template <typename GiveUp, typename MayEnd = EveryPeer>
class CrowdOfPeers final : public Crowd {
   public:
    CrowdOfPeers(PeerTable& peers, GiveUp give_up, MayEnd may_end = {})
        : peers_{peers}, give_up_{give_up}, may_end_{may_end} {}

    void add_all(Candidates& candidates) override {
        peers_.each([&](const Peer& peer) {
            if (may_end_(peer)) candidates.add(peer.number(), *peer.connection);
        });
    }
    bool give_up(std::uint64_t number) override {
        Peer* const peer = peers_.find(number);
        return peer && give_up_(*peer);
    }

   private:
    PeerTable& peers_;
    GiveUp give_up_;
    MayEnd may_end_;
};

}  // namespace weir::engines
