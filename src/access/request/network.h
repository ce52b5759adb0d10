#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "access/request/client.h"

namespace weir::access {

/// A network of addresses, or all unix sockets.
class Network {
   public:
    /// "192.0.2.0/24", "2001:db8::/32", "192.0.2.7", "::1", or "unix". The error is a sentence
    /// without its full stop. "192.0.2.7/24" is an error, because it is no network.
    static std::expected<Network, std::string> parse(std::string_view text);

    bool contains(const Client& client) const noexcept {
        return client.kind == first_.kind && client.within(bits_) == first_;
    }
    /// The number of bits that its addresses have in common.
    unsigned bits() const noexcept { return bits_; }
    std::string text() const;

   private:
    Network(const Client& first, unsigned bits) noexcept : first_{first}, bits_{bits} {}

    Client first_;
    unsigned bits_;
};

using NetworkList = std::vector<Network>;

/// The error: as that of Network::parse().
std::expected<NetworkList, std::string> parse_networks(const std::vector<std::string>& texts);
bool any_contains(const NetworkList& networks, const Client& client) noexcept;

}  // namespace weir::access
