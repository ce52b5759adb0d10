#pragma once

#include <sys/types.h>

#include <cstddef>
#include <expected>
#include <span>
#include <system_error>
#include <vector>

#include "net/address.h"
#include "net/unique_fd.h"

namespace weir::net {

/// The longest queue of connections that wait to be accepted, for any listener: net.core.somaxconn.
/// Where it is small, bursts of connections are answered by resets or late by retries.
int backlog_max() noexcept;

/// A bound, listening socket; non-blocking, closed on exec. TCP_NODELAY is on, and accepted sockets
/// inherit it: each answer is written whole, so that waiting for more to send (RFC 896) only costs
/// time. IPv6 listens for IPv6 alone, so that 0.0.0.0 and :: can stand beside each other.
class Listener {
   public:
    /// Port 0 takes any free port; address() says which. A port (or unix socket) that somebody
    /// answers on is std::errc::address_in_use.
    static std::expected<Listener, std::error_code> open(const Address& address);

    Listener(Listener&& other) noexcept;
    Listener& operator=(Listener&& other) noexcept;
    /// Removes the file of a unix socket that open() made.
    ~Listener();

    /// One more listener on the same address, for another thread or process. The kernel deals
    /// connections out between TCP siblings (SO_REUSEPORT); siblings of a unix socket share one
    /// queue.
    std::expected<Listener, std::error_code> sibling() const;

    /// How many connections wait to be accepted at this moment; SIZE_MAX where that is unknown (a
    /// unix socket's queue).
    std::size_t queued() const noexcept;
    /// Refuses from now on, and resets what still waits in the queue (where no sibling shares it).
    void close() noexcept;

    int fd() const noexcept { return fd_.get(); }  // -1 once closed
    const Address& address() const noexcept { return address_; }

   private:
    /// Which file is ours to remove: somebody may have put another one in its place.
    struct File {
        dev_t device = 0;
        ino_t inode = 0;
        pid_t owner = 0;  // 0: not ours; else the process that made it, and not its children
    };

    Listener(UniqueFd fd, const Address& address) noexcept
        : fd_{std::move(fd)}, address_{address} {}
    static std::expected<Listener, std::error_code> open_unix(const Address& address);
    void remember_file() noexcept;
    void remove_file() noexcept;

    UniqueFd fd_;
    Address address_;
    File file_;
};

/// A sibling of each.
std::expected<std::vector<Listener>, std::error_code> siblings_of(
    std::span<const Listener> listeners);

}  // namespace weir::net
