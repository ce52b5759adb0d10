#pragma once

#include <cstdint>

#include "engines/peer/giving_way.h"
#include "engines/peer/peer_table.h"

namespace weir::engines {

/// All peers of a table. `give_up(peer)` is GivingWay::Crowd's.
template <typename GiveUp>
GivingWay::Crowd crowd_of(PeerTable& peers, GiveUp give_up) {
    return {.add_all =
                [&peers](Candidates& candidates) {
                    peers.each(
                        [&](const Peer& peer) { candidates.add(peer.number(), *peer.connection); });
                },
            .give_up =
                [&peers, give_up](std::uint64_t number) {
                    Peer* const peer = peers.find(number);
                    return peer && give_up(*peer);
                }};
}

}  // namespace weir::engines
