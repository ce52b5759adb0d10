#include "net/accept.h"

#include <sys/socket.h>

#include <cerrno>

namespace weir::net {

Accepted::Kind kind_of_accept_error(int error) noexcept {
    switch (error) {
        case EAGAIN: return Accepted::Kind::none;
        case EMFILE:
        case ENFILE:
        case ENOBUFS:
        case ENOMEM: return Accepted::Kind::exhausted;
        case EBADF:
        case EFAULT:
        case EINVAL:
        case ENOTSOCK:
        case EOPNOTSUPP: return Accepted::Kind::failed;
        // The rest is the connection's own: ECONNABORTED, and on Linux whatever error its network
        // already had, ENETDOWN, EPROTO and so on (accept(2)). EPERM: a firewall's rule.
        default: return Accepted::Kind::gone;
    }
}

Accepted accept_connection(int listener) noexcept {
    sockaddr_storage address;
    socklen_t size = sizeof address;
    address.ss_family = AF_UNIX;  // a unix socket's peer has no name, and often not even a family
    auto* const out = reinterpret_cast<sockaddr*>(&address);
    int fd;
    do {
        fd = ::accept4(listener, out, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) return {kind_of_accept_error(errno), UniqueFd{}, PeerAddress{}, errno};
    return {Accepted::Kind::connection, UniqueFd{fd}, PeerAddress{address}};
}

}  // namespace weir::net
