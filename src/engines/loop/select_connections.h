#pragma once

#include <sys/select.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <system_error>

#include "engines/loop/loop_connections.h"
#include "net/waiting/descriptor_set.h"

namespace weir::engines {

/// The connections of a loop on select(2). It asks about what every such loop asks about: the stop
/// signal, the completions, the listeners. What it asks about a peer's socket is the engine's.
class SelectConnections : public LoopConnections {
   public:
    SelectConnections(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : LoopConnections{host, limit, source}, host_{host} {}

    /// EMFILE where a descriptor that has to be watched does not fit into a set.
    std::error_code open();
    /// A descriptor of the engine's own, to read from. False where it does not fit into a set.
    bool watch(int fd);

    /// select(2). Returns how many bits of the two sets are true.
    int wait();
    bool is_readable(int fd) const { return readable_.has(fd); }
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
    /// Asks for these from now on. A peer that can't be watched is looked at again a little later.
    void watch(Peer& peer, bool for_bytes, bool for_space);
    void unwatch(const Peer& peer);

   private:
    // It was turned away, and has yet to take its answer and go.
    static constexpr std::chrono::milliseconds between_looks{100};

    /// With its hints set. Null where the descriptor is another's, which is noted, or was that of a
    /// peer that the stop closed in this turn.
    Peer* peer_of(int fd, bool readable, bool writable) noexcept;
    static bool can_watch(const Peer& peer) {
        return net::DescriptorSet::has_room_for(peer.socket.get());
    }
    void put(const Peer& peer, Peer* watched, bool for_bytes, bool for_space);

    Host& host_;
    net::DescriptorSet for_bytes_, for_space_;  // asked
    net::DescriptorSet readable_, writable_;    // told
    std::array<Peer*, FD_SETSIZE> peers_{};     // by descriptor
};

}  // namespace weir::engines
