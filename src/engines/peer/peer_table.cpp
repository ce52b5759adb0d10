#include "engines/peer/peer_table.h"

namespace weir::engines {

Peer& PeerTable::add() {
    if (free_.empty()) grow();
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return chunks_[slot / chunk_size]->peers[slot % chunk_size];
}

void PeerTable::remove(Peer& peer) noexcept {
    peer.close();
    const std::uint32_t slot = peer.slot;
    const std::uint32_t generation = peer.generation + 1;
    peer = Peer{};
    peer.slot = slot;
    peer.generation = generation;
    free_.push_back(slot);  // grow() has reserved the memory
}

Peer* PeerTable::at(std::uint32_t slot) noexcept {
    if (slot >= slots_used()) return nullptr;
    Peer& peer = chunks_[slot / chunk_size]->peers[slot % chunk_size];
    return peer.connection ? &peer : nullptr;
}

Peer* PeerTable::find(std::uint64_t ticket) noexcept {
    Peer* const peer = at(static_cast<std::uint32_t>(ticket));
    return peer && peer->number() == ticket ? peer : nullptr;
}

// The last entry is used first. So the entries are in descending order: small numbers first, in the
// order of memory.
void PeerTable::grow() {
    free_.reserve(slots_used() + chunk_size);
    chunks_.push_back(std::make_unique<Chunk>());  // last: if it throws, nothing is half done
    for (auto slot = static_cast<std::uint32_t>(slots_used());
         slot-- > slots_used() - chunk_size;) {
        chunks_.back()->peers[slot % chunk_size].slot = slot;
        free_.push_back(slot);
    }
}

}  // namespace weir::engines
