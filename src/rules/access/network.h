#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/request.h"

namespace weir::rules {

/// Where a request comes from.
struct Peer {
    enum class Kind : std::uint8_t {
        ipv4,
        ipv6,
        unix_socket,
        unknown,  // a proxy hides it: in no network
    };
    Kind kind = Kind::unix_socket;
    std::array<std::uint8_t, 16> bytes{};  // of an IPv4 address, the first four

    bool operator==(const Peer&) const = default;
    /// IPv4 addresses that stand in IPv6 addresses (::ffff:192.0.2.7) are IPv4.
    static Peer of(const http::Request& request);
    /// "192.0.2.7", "2001:db8::7", "unix:"; anything else is unknown.
    static Peer parse(std::string_view address) noexcept;
    /// One who may use many addresses of IPv6 is one client: the rest behind 64 bits is zero.
    Peer client() const noexcept;
};

/// A network of addresses, or all unix sockets.
class Network {
   public:
    /// "192.0.2.0/24", "2001:db8::/32", "192.0.2.7", "::1", or "unix". The error is a sentence without
    /// its full stop: also for "192.0.2.7/24", which is no network.
    static std::expected<Network, std::string> parse(std::string_view text);

    bool contains(const Peer& peer) const noexcept;
    /// The number of bits that its addresses have in common.
    unsigned bits() const noexcept { return bits_; }
    std::string text() const;

   private:
    Peer first_;
    unsigned bits_ = 0;
};

/// Whether one of them contains the peer.
bool any_contains(const std::vector<Network>& networks, const Peer& peer) noexcept;

}  // namespace weir::rules
