#pragma once

#include <sys/select.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <system_error>

#include "engines/loop/loop_connections.h"
#include "net/waiting/descriptor_set.h"

namespace weir::engines {

/// The connections of a loop on select(2). This class watches the descriptors of every such loop:
/// the stop signal, the completions, the listeners. The engine chooses the events of a peer's
/// socket.
class SelectConnections : public LoopConnections {
   public:
    SelectConnections(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : LoopConnections{host, limit, source}, host_{host} {}

    /// EMFILE if a descriptor that must be watched does not fit into a set.
    std::error_code open();
    /// Watches a descriptor of the engine for bytes. False if it does not fit into a set.
    bool watch(int fd);

    /// Calls select(2). Returns the number of bits that are set in the two sets.
    int wait();
    /// False for a descriptor that does not fit into a set.
    bool is_readable(int fd) const {
        return net::DescriptorSet::has_room_for(fd) && readable_.has(fd);
    }
    /// Drives each peer whose socket is ready.
    template <typename Engine>
    void take(int ready, Engine& engine) {
        for (int fd = 0; ready > 0 && fd < FD_SETSIZE; ++fd) {
            const bool readable = readable_.has(fd);
            const bool writable = writable_.has(fd);
            ready -= int{readable} + int{writable};
            if (!readable && !writable) continue;
            if (Peer* const peer = peer_of(fd, readable, writable)) engine.drive(*peer);
        }
    }

    /// Turns away a new peer whose descriptor does not fit into a set: select(2) can't watch it.
    void turn_away_unless_watchable(Peer& peer);
    /// Watches the socket for these events from now on. If select(2) can't watch the peer, the loop
    /// drives it again after `between_looks`.
    void watch(Peer& peer, bool for_bytes, bool for_space);
    void unwatch(const Peer& peer);

   private:
    // For a peer that was turned away, and has yet to take its response.
    static constexpr std::chrono::milliseconds between_looks{100};

    /// The peer of the descriptor, with its hints set. Null if the descriptor is not a peer's (its
    /// event is noted here), or was that of a peer that the stop has closed in this turn.
    Peer* peer_of(int fd, bool readable, bool writable) noexcept;
    static bool can_watch(const Peer& peer) {
        return net::DescriptorSet::has_room_for(peer.socket.get());
    }
    void put(const Peer& peer, Peer* watched, bool for_bytes, bool for_space);

    Host& host_;
    net::DescriptorSet for_bytes_, for_space_;  // to watch for
    net::DescriptorSet readable_, writable_;    // the result of select(2)
    std::array<Peer*, FD_SETSIZE> peers_{};     // by descriptor
};

}  // namespace weir::engines
