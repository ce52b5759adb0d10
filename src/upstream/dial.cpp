#include "upstream/dial.h"

#include <sys/socket.h>

#include <cerrno>

#include "net/io.h"

namespace weir::upstream {

net::UniqueFd begin_to_connect(const net::Address& address) noexcept {
    net::UniqueFd fd{::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (!fd) return fd;
    // A request is written whole, so a wait for more bytes (RFC 896) only costs time. Without the
    // settings, a connection is slower, and no worse.
    if (!address.is_unix()) net::set_up_tcp(fd.get());
    const int result = ::connect(fd.get(), address.data(), address.size());
    if (result != 0 && errno != EINPROGRESS && errno != EINTR) fd.reset();
    return fd;
}

}  // namespace weir::upstream
