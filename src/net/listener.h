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
/// net.core.somaxconn. If it is small, connections of a burst are reset, or succeed only when the
/// client tries again.
int backlog_max() noexcept;

/// A bound, listening socket; non-blocking, closed on exec. TCP_NODELAY is on, and accepted sockets
/// inherit it: answers are written whole, so waiting for more bytes (RFC 896) would only cost time.
/// An IPv6 socket accepts IPv6 alone, so that 0.0.0.0 and :: can have the same port.
class Listener {
   public:
    /// Port 0 takes any free port; address() says which. If another server uses the port (or the
    /// unix socket), the error is std::errc::address_in_use.
    static std::expected<Listener, std::error_code> open(const Address& address);

    /// The same, on an address that other listeners of this program already have a part of: an
    /// address of which 0.0.0.0 is another listener's, or the reverse.
    static std::expected<Listener, std::error_code> open_beside(const Address& address);
    /// A bound stream socket that the process was given: by systemd, or by the process before. Its
    /// file, if it has one, stays. If the socket has no SO_REUSEPORT, siblings share its queue.
    static std::expected<Listener, std::error_code> adopt(UniqueFd fd);

    Listener(Listener&& other) noexcept;
    Listener& operator=(Listener&& other) noexcept;
    /// Removes the file of a unix socket that open() made.
    ~Listener();

    /// A further listener on the same address, for another thread or process. The kernel
    /// distributes connections among TCP siblings (SO_REUSEPORT); siblings of a unix socket share
    /// one queue.
    std::expected<Listener, std::error_code> sibling();
    /// Binds the sockets of so many siblings in advance, for a process that may not bind any more
    /// when sibling() is called.
    std::error_code reserve_siblings(unsigned count);
    /// Another socket on this address, which the process was given: sibling() gives it out.
    void reserve_sibling(UniqueFd fd) { reserved_.push_back(std::move(fd)); }
    /// Reserved sockets beyond `count`, as listeners of their own: connections may wait in their
    /// queues. Siblings of such a listener share its queue.
    std::expected<std::vector<Listener>, std::error_code> take_surplus(std::size_t count);
    std::span<const UniqueFd> reserved() const noexcept { return reserved_; }
    /// The file of a unix socket stays when the listener closes.
    void leave_file() noexcept { file_.owner = 0; }

    /// How many connections wait to be accepted at this moment; SIZE_MAX if that is unknown, as for
    /// a unix socket.
    std::size_t queued() const noexcept;
    /// The same, at least 1 where connections wait and their number is unknown.
    std::size_t waiting() const noexcept;
    /// Refuses connections from now on, and resets those in the queue unless a sibling shares it.
    void close() noexcept;

    int fd() const noexcept { return fd_.get(); }  // -1 once closed
    const Address& address() const noexcept { return address_; }

    /// A number that its connections carry (PeerAddress::entrance()), and its siblings have.
    std::uint8_t entrance() const noexcept { return entrance_; }
    void entrance(std::uint8_t number) noexcept { entrance_ = number; }

   private:
    /// Identifies the file to remove: another program may have put a different file in its place.
    struct File {
        dev_t device = 0;
        ino_t inode = 0;
        pid_t owner = 0;  // the process that made it; 0: none, the file stays
    };

    Listener(UniqueFd fd, const Address& address) noexcept
        : fd_{std::move(fd)}, address_{address} {}
    static std::expected<Listener, std::error_code> open_unix(const Address& address);
    std::expected<UniqueFd, std::error_code> open_sibling();
    void remember_file() noexcept;
    void remove_file() noexcept;

    UniqueFd fd_;
    Address address_;
    std::uint8_t entrance_ = 0;
    File file_;
    bool shares_queue_ = false;       // with its siblings
    std::vector<UniqueFd> reserved_;  // bound; until they listen, no connection comes to them
};

/// A sibling of each.
std::expected<std::vector<Listener>, std::error_code> siblings_of(std::span<Listener> listeners);

}  // namespace weir::net
