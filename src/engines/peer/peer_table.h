#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engines/peer/peer.h"

namespace weir::engines {

/// The peers of one loop, by slot. A peer stays at its address for as long as it lives. The slot
/// that was freed last is used next, while its memory is still in the cache.
class PeerTable {
   public:
    /// A peer in its initial state, in a slot that was free. If it throws std::bad_alloc, the table
    /// is as it was.
    Peer& add();
    /// Destroys the connection, closes the socket, frees the slot.
    void remove(Peer& peer) noexcept;

    /// Null if the slot is free.
    Peer* at(std::uint32_t slot) noexcept;
    /// Null if the connection has gone.
    Peer* find(std::uint64_t ticket) noexcept;

    std::size_t size() const noexcept { return slots_used() - free_.size(); }
    /// The number of slots; the slot of each peer is smaller.
    std::size_t slots_used() const noexcept { return chunks_.size() * chunk_size; }

    /// `visit` may remove the peer that it is given.
    template <typename Visit>
    void each(Visit visit) {
        for (std::uint32_t slot = 0; slot < slots_used(); ++slot)
            if (Peer* const peer = at(slot)) visit(*peer);
    }
    /// Lists the peers for which `may_end(peer)` is true, as Evictor::evict() needs them.
    template <typename MayEnd>
    auto listing(MayEnd may_end) noexcept {
        return [this, may_end](auto add) {
            this->each([&](const Peer& peer) {
                if (may_end(peer)) add(peer.number(), *peer.connection);
            });
        };
    }

   private:
    static constexpr std::uint32_t chunk_size = 64;
    struct alignas(64) Chunk {
        std::array<Peer, chunk_size> peers;
    };

    void grow();

    std::vector<std::unique_ptr<Chunk>> chunks_;
    std::vector<std::uint32_t> free_;
};

}  // namespace weir::engines
