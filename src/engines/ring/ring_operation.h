#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "engines/peer/peer.h"

namespace weir::engines {

/// What a loop has its ring do. With whom, or with which of several, goes into the same number that
/// comes back with the completion: a peer lies at the start of a cache line, and leaves the low bits
/// of its address free.
enum class Operation : std::uint8_t {
    hear_stop,
    hear_completions,
    accept,  // at the listener of that index
    cancel_accept,
    receive,  // from that peer
    cancel_receive,
    send,   // to that peer
    space,  // tells when sending to it may be tried
    cancel_send,
};

inline constexpr unsigned operation_bits = 6;
inline constexpr std::uint64_t operation_mask = (1U << operation_bits) - 1;

inline std::uint64_t about(Operation operation, std::size_t index = 0) noexcept {
    return std::uint64_t{index} << operation_bits | static_cast<std::uint64_t>(operation);
}
inline std::uint64_t about(Operation operation, const Peer& peer) noexcept {
    const auto address = reinterpret_cast<std::uint64_t>(&peer);
    assert((address & operation_mask) == 0);
    return address | static_cast<std::uint64_t>(operation);
}

inline Operation operation_of(std::uint64_t about) noexcept {
    return static_cast<Operation>(about & operation_mask);
}
inline std::size_t index_of(std::uint64_t about) noexcept { return about >> operation_bits; }
inline Peer& peer_of(std::uint64_t about) noexcept {
    return *reinterpret_cast<Peer*>(about & ~operation_mask);
}

}  // namespace weir::engines
