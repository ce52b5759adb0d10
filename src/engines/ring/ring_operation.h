#pragma once

#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "engines/peer/peer.h"

namespace weir::engines {

/// The operations that a loop starts in its ring.
enum class Operation : std::uint8_t {
    watch_stop,
    watch_completions,
    watch_listener,  // by index
    cancel,
    send,         // a response of the batch, by index
    receive,      // from a peer
    await_space,  // in the socket of a peer
};

/// An operation carries one number, which comes back with each of its completions. The number names
/// the operation, and the peer (or the index) that the operation is about: a Peer lies at the start
/// of a cache line, so the low bits of its address are free.
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
inline bool is_of_peer(std::uint64_t about) noexcept {
    return operation_of(about) >= Operation::receive;
}
inline Peer& peer_of(std::uint64_t about) noexcept {
    return *reinterpret_cast<Peer*>(about & ~operation_mask);
}

/// An operation that failed with this error can be started again.
inline bool may_go_on(int error) noexcept {
    return error == ENOBUFS || error == ECANCELED || error == EAGAIN || error == EINTR;
}

}  // namespace weir::engines
