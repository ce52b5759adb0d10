#include "net/accept.h"

#include <sys/socket.h>

#include <cerrno>

#include "net/uninterrupted.h"

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
        // All other errors concern the connection alone: ECONNABORTED; earlier errors of its
        // network, which Linux reports here (ENETDOWN, EPROTO and others, see accept(2)); and
        // EPERM, by a rule of a firewall.
        default: return Accepted::Kind::gone;
    }
}

Accepted accept_connection(int listener) noexcept {
    sockaddr_storage address;
    socklen_t size = sizeof address;
    address.ss_family = AF_UNIX;  // the kernel often writes nothing for the peer of a unix socket
    auto* const out = reinterpret_cast<sockaddr*>(&address);
    const int fd = uninterrupted(
        [&] { return ::accept4(listener, out, &size, SOCK_CLOEXEC | SOCK_NONBLOCK); });
    if (fd < 0) return {kind_of_accept_error(errno), UniqueFd{}, PeerAddress{}, errno};
    return {Accepted::Kind::connection, UniqueFd{fd}, PeerAddress{address}};
}

}  // namespace weir::net
