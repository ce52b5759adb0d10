#pragma once

#include <sys/socket.h>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::net {

/// The address of a listener: an Internet address and port, or the path of a unix socket. Addresses
/// are numeric: the parser uses no name service.
class Address {
   public:
    /// Parses "127.0.0.1", "::1", "[::1]", "fe80::1%eth0", "localhost" (which is 127.0.0.1), or
    /// "unix:/run/weir.sock" (no port). Nothing if the text is none of these, or if the path is
    /// longer than 107 bytes, the limit of unix sockets.
    static std::optional<Address> parse(std::string_view host, std::uint16_t port);
    /// The address of a bound socket (getsockname(2)).
    static std::optional<Address> of_socket(int fd);

    const sockaddr* data() const noexcept { return reinterpret_cast<const sockaddr*>(&storage_); }
    socklen_t size() const noexcept { return size_; }
    int family() const noexcept { return storage_.ss_family; }

    bool is_unix() const noexcept { return family() == AF_UNIX; }
    std::string_view path() const noexcept;  // of a unix socket; else empty
    const char* c_path() const noexcept;     // the same with a zero byte behind it
    std::uint16_t port() const noexcept;     // 0 for a unix socket
    void port(std::uint16_t port) noexcept;  // no effect on a unix socket
    bool is_loopback() const noexcept;       // other machines can't connect to the address
    bool is_any() const noexcept;            // 0.0.0.0 or ::

    /// "127.0.0.1", "::1", "unix:/run/weir.sock".
    std::string host() const;
    /// "127.0.0.1:8000", "[::1]:8000", "unix:/run/weir.sock".
    std::string text() const;

    bool operator==(const Address& other) const noexcept { return bytes() == other.bytes(); }
    auto operator<=>(const Address& other) const noexcept { return bytes() <=> other.bytes(); }

   private:
    std::string_view bytes() const noexcept {
        return {reinterpret_cast<const char*>(&storage_), size_};
    }

    sockaddr_storage storage_{};
    socklen_t size_ = 0;
};

/// The address of a connection's peer, small enough to be stored with each connection.
class PeerAddress {
   public:
    PeerAddress() = default;  // of a unix socket
    explicit PeerAddress(const sockaddr_storage& address) noexcept;

    /// Appends "192.0.2.7", "2001:db8::7" or "unix:". An IPv4-mapped IPv6 address
    /// (::ffff:192.0.2.7) is written as IPv4.
    void append_to(std::string& out) const;
    std::uint16_t port() const noexcept { return port_; }
    bool is_unix() const noexcept { return family_ == AF_UNIX; }

    /// The kind of the listener that accepted the connection (Listener::listener_kind()).
    std::uint8_t listener_kind() const noexcept { return listener_kind_; }
    void listener_kind(std::uint8_t number) noexcept { listener_kind_ = number; }

    /// The IPv4 address, or the first 64 bits of the IPv6 address.
    struct Network {
        std::uint64_t bits = 0;
        sa_family_t family = AF_UNIX;
        auto operator<=>(const Network&) const = default;
    };
    Network network() const noexcept;

   private:
    std::array<std::uint8_t, 16> bytes_{};
    std::uint16_t port_ = 0;
    std::uint8_t family_ = AF_UNIX;
    std::uint8_t listener_kind_ = 0;
};
static_assert(sizeof(PeerAddress) == 20);

}  // namespace weir::net
