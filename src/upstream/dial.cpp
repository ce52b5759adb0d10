#include "upstream/dial.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>

namespace weir::upstream {

/// TCP_NODELAY: a request is written whole, so a wait for more bytes (RFC 896) only costs time.
net::UniqueFd begin_to_connect(const net::Address& address) noexcept {
    net::UniqueFd fd{::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (!fd) return fd;
    constexpr int on = 1;
    if (!address.is_unix()) ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const int result = ::connect(fd.get(), address.data(), address.size());
    if (result != 0 && errno != EINPROGRESS && errno != EINTR) fd.reset();
    return fd;
}

}  // namespace weir::upstream
