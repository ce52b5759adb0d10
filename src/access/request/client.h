#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "access/memory/siphash.h"
#include "weir/http/request.h"

namespace weir::access {

/// The address from which a request comes.
struct Client {
    enum class Kind : std::uint8_t {
        unknown,  // in no network
        unix_socket,
        ipv4,
        ipv6,
    };
    Kind kind = Kind::unknown;
    std::array<std::uint8_t, 16> bytes{};  // of an IPv4 address, the first four

    bool operator==(const Client&) const = default;
    /// IPv4 addresses that stand in IPv6 addresses (::ffff:192.0.2.7) are IPv4.
    static Client of(const http::Request& request);
    /// "192.0.2.7", "2001:db8::7", "unix:".
    static Client parse(std::string_view address) noexcept;
    /// The address with zeros behind its first `bits` bits.
    Client within(unsigned bits) const noexcept;
    /// The key of the client for limits: the kind and the bytes. Those behind 64 bits are zero,
    /// since a client may use all addresses of such an IPv6 network.
    std::array<char, 17> key() const noexcept;
    /// A keyed hash of key(), so that no client can choose it.
    std::uint64_t hashed(const SipKey& secret) const noexcept {
        const auto all = key();
        return siphash(secret, {all.data(), all.size()})[0];
    }
};

}  // namespace weir::access
