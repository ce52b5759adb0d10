#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <system_error>
#include <vector>

#include "net/address.h"
#include "net/unique_fd.h"

namespace weir::net {

/// The maximum length of a listener's queue of connections that wait to be accepted:
/// net.core.somaxconn. If it is small, connections of a burst are reset, or succeed only after the
/// client tries again.
int backlog_max() noexcept;

/// A bound, listening socket; non-blocking, closed on exec. TCP_NODELAY is on, and accepted sockets
/// inherit it: responses are written whole, so a wait for more bytes (RFC 896) would only cost
/// time. An IPv6 socket accepts IPv6 alone, so that 0.0.0.0 and :: can have the same port.
class Listener {
   public:
    /// Port 0 takes any free port, which address() returns. If another server uses the port (or the
    /// unix socket), the error is std::errc::address_in_use.
    static std::expected<Listener, std::error_code> open(const Address& address);

    /// Does the same for an address that overlaps the address of another listener of this program:
    /// one of the two is 0.0.0.0 or ::, with the same port.
    static std::expected<Listener, std::error_code> open_beside(const Address& address);
    /// Takes a bound stream socket that the process got from systemd, or from its predecessor. The
    /// listener never removes the socket's file. If the socket has no SO_REUSEPORT, siblings share
    /// its queue.
    static std::expected<Listener, std::error_code> adopt(UniqueFd fd);

    Listener(Listener&& other) noexcept;
    Listener& operator=(Listener&& other) noexcept;
    /// Removes the file of a unix socket that open() made.
    ~Listener();

    /// A further listener on the same address, for another thread or process. The kernel
    /// distributes connections among TCP siblings (SO_REUSEPORT); siblings of a unix socket share
    /// one queue.
    std::expected<Listener, std::error_code> sibling();
    /// Binds the sockets of `count` siblings in advance, for a process that may not bind any more
    /// when it calls sibling().
    std::error_code reserve_siblings(unsigned count);
    /// Reserves a socket on this address that the process got from outside, for a later sibling().
    void reserve_sibling(UniqueFd fd) { reserved_.push_back(std::move(fd)); }
    /// Returns the reserved sockets beyond `count` as listeners of their own, because connections
    /// may wait in their queues. Siblings of such a listener share its queue.
    std::expected<std::vector<Listener>, std::error_code> take_surplus(std::size_t count);
    std::span<const UniqueFd> reserved() const noexcept { return reserved_; }
    /// Removes the file of a unix socket when the listener closes, even if an earlier program of
    /// this process has made it.
    void own_file() noexcept { remember_file(); }
    /// Keeps the file of a unix socket when the listener closes.
    void leave_file() noexcept { file_.owner = 0; }

    /// The number of connections that wait to be accepted at this moment; SIZE_MAX if the system
    /// does not know it, as for a unix socket.
    std::size_t queued() const noexcept;
    /// The same for a TCP socket. For a unix socket, 1 if connections wait; otherwise 0.
    std::size_t waiting() const noexcept;
    /// Refuses further connections. Resets the connections in the queue, unless a sibling shares
    /// it.
    void close() noexcept;

    int fd() const noexcept { return fd_.get(); }  // -1 once closed
    const Address& address() const noexcept { return address_; }

    /// A number that the listener passes on to its connections (PeerAddress::listener_kind()) and
    /// siblings.
    std::uint8_t listener_kind() const noexcept { return listener_kind_; }
    void listener_kind(std::uint8_t number) noexcept { listener_kind_ = number; }

   private:
    /// Identifies the file to remove: another program may have put a different file in its place.
    struct File {
        dev_t device = 0;
        ino_t inode = 0;
        pid_t owner = 0;  // the process that made the file; 0: none, the file stays
    };

    Listener(UniqueFd fd, const Address& address) noexcept
        : fd_{std::move(fd)}, address_{address} {}
    static std::expected<Listener, std::error_code> open_unix(const Address& address);
    std::expected<UniqueFd, std::error_code> open_sibling();
    void remember_file() noexcept;
    void remove_file() noexcept;

    UniqueFd fd_;
    Address address_;
    std::uint8_t listener_kind_ = 0;
    File file_;
    bool shares_queue_ = false;       // with its siblings
    std::vector<UniqueFd> reserved_;  // bound; until they listen, no connection comes to them
};

/// Returns a sibling of each listener.
std::expected<std::vector<Listener>, std::error_code> siblings_of(std::span<Listener> listeners);

}  // namespace weir::net
