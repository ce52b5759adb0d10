#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::net {

/// Where to listen: an Internet address and port, or the path of a unix socket. Numeric only: no
/// name service is asked.
class Address {
   public:
    /// "127.0.0.1", "::1", "[::1]", "fe80::1%eth0", "localhost" (which is 127.0.0.1), or
    /// "unix:/run/weir.sock" (no port). Nothing where the text is none of these, or the path is
    /// longer than the 107 bytes that a unix socket's may have.
    static std::optional<Address> parse(std::string_view host, std::uint16_t port);
    /// What getsockname(2) says of a bound socket.
    static std::optional<Address> of_socket(int fd);

    const sockaddr* data() const noexcept { return reinterpret_cast<const sockaddr*>(&storage_); }
    socklen_t size() const noexcept { return size_; }
    int family() const noexcept { return storage_.ss_family; }

    bool is_unix() const noexcept { return family() == AF_UNIX; }
    std::string_view path() const noexcept;  // of a unix socket; else empty
    std::uint16_t port() const noexcept;     // 0 for a unix socket
    void port(std::uint16_t port) noexcept;  // no effect on a unix socket
    bool is_loopback() const noexcept;       // nobody from another machine gets here
    bool is_any() const noexcept;            // 0.0.0.0 or ::

    /// "127.0.0.1", "::1", "unix:/run/weir.sock".
    std::string host() const;
    /// "127.0.0.1:8000", "[::1]:8000", "unix:/run/weir.sock".
    std::string text() const;

   private:
    sockaddr_storage storage_{};
    socklen_t size_ = 0;
};

/// The peer of a connection, small enough to be kept with each.
class PeerAddress {
   public:
    PeerAddress() = default;  // of a unix socket
    explicit PeerAddress(const sockaddr_storage& address) noexcept;
    /// Of an accepted socket; unknown where it was reset meanwhile.
    static PeerAddress of_socket(int fd) noexcept;

    /// Appends "192.0.2.7", "2001:db8::7" or "unix:". An IPv4 address in IPv6's clothes
    /// (::ffff:192.0.2.7) is written as IPv4.
    void append_to(std::string& out) const;
    std::uint16_t port() const noexcept { return port_; }

   private:
    std::array<std::uint8_t, 16> bytes_{};
    std::uint16_t port_ = 0;
    sa_family_t family_ = AF_UNIX;
};
static_assert(sizeof(PeerAddress) == 20);

}  // namespace weir::net
