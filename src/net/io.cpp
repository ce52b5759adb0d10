#include "net/io.h"

#include <linux/sockios.h>
#include <linux/tcp.h>  // <netinet/tcp.h> lacks the last fields of tcp_info
#include <netinet/in.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "net/uninterrupted.h"

namespace weir::net {
namespace {

Moved moved(ssize_t result) noexcept {
    if (result > 0) return {.kind = Moved::Kind::bytes, .size = static_cast<std::size_t>(result)};
    if (result == 0) return {Moved::Kind::ended};
    if (errno == EAGAIN) return {Moved::Kind::would_block};
    return {.kind = Moved::Kind::failed, .error = errno};
}

// For file systems without sendfile(2): overlays, some FUSE file systems, /proc.
Moved read_and_send(int socket, int file, std::uint64_t offset, std::uint64_t size) noexcept {
    std::array<char, 16 * 1024> buffer;
    const auto wanted = std::min<std::uint64_t>(size, buffer.size());
    const auto got = uninterrupted(
        [&] { return ::pread(file, buffer.data(), wanted, static_cast<off_t>(offset)); });
    if (got <= 0) return moved(got);
    return moved(uninterrupted([&] {
        return ::send(socket, buffer.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL);
    }));
}

}  // namespace

Moved receive(int socket, std::span<char> into) noexcept {
    return moved(
        uninterrupted([&] { return ::recv(socket, into.data(), into.size(), MSG_DONTWAIT); }));
}

Moved send(int socket, std::span<const std::string_view> parts, bool more) noexcept {
    assert(parts.size() <= parts_max);
    const int flags = MSG_DONTWAIT | MSG_NOSIGNAL | (more ? MSG_MORE : 0);
    if (parts.size() == 1)
        return moved(
            uninterrupted([&] { return ::send(socket, parts[0].data(), parts[0].size(), flags); }));
    std::array<iovec, parts_max> vectors;
    for (std::size_t i = 0; i < parts.size(); ++i)
        vectors[i] = {const_cast<char*>(parts[i].data()), parts[i].size()};
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = parts.size();
    return moved(uninterrupted([&] { return ::sendmsg(socket, &message, flags); }));
}

Moved send_file(int socket, int file, std::uint64_t offset, std::uint64_t size) noexcept {
    const auto sent = uninterrupted([&] {
        auto position = static_cast<off_t>(offset);
        return ::sendfile(socket, file, &position, size);
    });
    if (sent < 0 && (errno == EINVAL || errno == ENOSYS))
        return read_and_send(socket, file, offset, size);
    return moved(sent);
}

std::size_t queued_bytes(int socket) noexcept {
    int bytes = 0;
    return ::ioctl(socket, SIOCOUTQ, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
}

bool set_up_tcp(int socket) noexcept {
    const auto set = [socket](int level, int option, int value) {
        return ::setsockopt(socket, level, option, &value, sizeof value) == 0;
    };
    constexpr int seconds_idle = 60, seconds_between = 15, times = 4;
    return set(IPPROTO_TCP, TCP_NODELAY, 1) && set(SOL_SOCKET, SO_KEEPALIVE, 1) &&
           set(IPPROTO_TCP, TCP_KEEPIDLE, seconds_idle) &&
           set(IPPROTO_TCP, TCP_KEEPINTVL, seconds_between) && set(IPPROTO_TCP, TCP_KEEPCNT, times);
}

void reset_on_close(int socket) noexcept {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

std::optional<std::uint64_t> moved_bytes(int socket) noexcept {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
    return info.tcpi_bytes_received + info.tcpi_bytes_acked;
}

namespace {

sigset_t only_sigpipe() noexcept {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    return set;
}

}  // namespace

SigpipeBlocked::SigpipeBlocked() noexcept {
    const sigset_t sigpipe = only_sigpipe();
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &sigpipe, &before);
    was_blocked_ = sigismember(&before, SIGPIPE) == 1;
}

SigpipeBlocked::~SigpipeBlocked() {
    if (was_blocked_) return;
    // The signal goes to the thread that wrote. If it is pending, it would take effect when the
    // thread unblocks it.
    const sigset_t sigpipe = only_sigpipe();
    const timespec at_once{};
    while (::sigtimedwait(&sigpipe, nullptr, &at_once) > 0) {}
    ::pthread_sigmask(SIG_UNBLOCK, &sigpipe, nullptr);
}

}  // namespace weir::net
