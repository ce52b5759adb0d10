#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "net/address.h"

namespace weir::engines {

/// Counts the open connections of each IPv4 address, and of each IPv6 network of 64 bits: one
/// customer gets such a network, with all addresses in it. Peers on unix sockets have no address
/// and are not counted. Any thread may call. There are no more entries than open connections.
class AddressCounts {
   public:
    explicit AddressCounts(std::uint32_t connections_max) noexcept
        : connections_max_{connections_max} {}

    /// False if the address has reached its limit, or if there is no memory.
    bool acquire(const net::PeerAddress& address) noexcept;
    /// Once for each acquire() that returned true.
    void release(const net::PeerAddress& address) noexcept;

   private:
    const std::uint32_t connections_max_;  // of one address
    std::mutex mutex_;
    // Not hashed: peers choose the low bits of their networks.
    std::map<net::PeerAddress::Network, std::uint32_t> counts_;
};

}  // namespace weir::engines
