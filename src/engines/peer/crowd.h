#pragma once

#include <cstdint>

#include "engines/peer/giving_way.h"
#include "engines/peer/peer_table.h"

namespace weir::engines {

struct EveryPeer {
    bool operator()(const Peer& /*peer*/) const noexcept { return true; }
};

/// The peers of a table that `may_end(peer)`. `give_up(peer)` is GivingWay::Crowd's.
template <typename GiveUp, typename MayEnd = EveryPeer>
GivingWay::Crowd crowd_of(PeerTable& peers, GiveUp give_up, MayEnd may_end = {}) {
    return {.add_all =
                [&peers, may_end](Candidates& candidates) {
                    peers.each([&](const Peer& peer) {
                        if (may_end(peer)) candidates.add(peer.number(), *peer.connection);
                    });
                },
            .give_up =
                [&peers, give_up](std::uint64_t number) {
                    Peer* const peer = peers.find(number);
                    return peer && give_up(*peer);
                }};
}

}  // namespace weir::engines
