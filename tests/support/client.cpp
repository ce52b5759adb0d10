#include "support/client.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "support/time_limit.h"

namespace weir::tests {
namespace {

constexpr std::size_t receive_bytes = 64 * 1024;

[[noreturn]] void fail(const std::string& what) {
    throw Unexpected{what + ": " + std::strerror(errno)};
}

bool peer_has_gone() { return errno == ECONNRESET || errno == EPIPE; }

void set_buffer(int fd, int option, int bytes) {
    if (bytes > 0 && ::setsockopt(fd, SOL_SOCKET, option, &bytes, sizeof bytes) != 0)
        fail("setsockopt");
}

/// A segment on loopback can be larger than a small buffer. A window that is smaller than a segment
/// opens only by the sender's timer (RFC 9293 3.8.6.2), so limit the segments.
void limit_segments(int fd) {
    const int bytes = 1000;
    if (::setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &bytes, sizeof bytes) != 0) fail("setsockopt");
}

/// Returns the events that poll(2) reports within that time; 0 if it reports none.
short poll_one(int fd, short events, std::chrono::milliseconds time) {
    pollfd waited{fd, events, 0};
    int count;
    do {
        count = ::poll(&waited, 1, static_cast<int>(time.count()));
    } while (count < 0 && errno == EINTR);
    if (count < 0) fail("poll");
    return waited.revents;
}

}  // namespace

net::UniqueFd unconnected_socket(int family) {
    net::UniqueFd fd{::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
    if (!fd) fail("socket");
    // Bytes that a test sends in several calls must arrive separately, and must not wait for an
    // acknowledgement.
    const int on = 1;
    if (family != AF_UNIX) ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

net::UniqueFd bound_socket() {
    net::UniqueFd fd = unconnected_socket(AF_INET);
    const net::Address any = *net::Address::parse("127.0.0.1", 0);
    if (::bind(fd.get(), any.data(), any.size()) != 0) fail("bind");
    return fd;
}

Client::Client(const net::Address& server, Options options)
    : socket_{unconnected_socket(server.family())} {
    // The buffer must be set before connect(2), so that the window is small from the start
    // (tcp(7)).
    set_buffer(fd(), SO_RCVBUF, options.receive_buffer_bytes);
    if (options.receive_buffer_bytes > 0) limit_segments(fd());
    set_buffer(fd(), SO_SNDBUF, options.send_buffer_bytes);
    connect(server);
}

void Client::connect(const net::Address& server) {
    if (::connect(fd(), server.data(), server.size()) == 0) return;
    if (errno != EINPROGRESS) fail("connect");
    wait_for(POLLOUT, "a connection");
    socklen_t size = sizeof errno;
    int error = 0;
    ::getsockopt(fd(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) throw Unexpected{std::string{"connect: "} + std::strerror(error)};
}

void Client::wait_for(short events, const char* what) {
    if (poll_one(fd(), events, time_limit) == 0)
        throw TimedOut{std::string{"waited too long for "} + what};
}

std::size_t Client::send_some(std::string_view bytes) {
    const auto sent = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno != EAGAIN) fail("send");
    return 0;
}

bool Client::offer(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        else if (errno == EAGAIN)
            wait_for(POLLOUT, "the server to read");
        else if (peer_has_gone())
            return false;
        else
            fail("send");
    }
    return true;
}

bool Client::fill(std::string& buffer) {
    const auto before = buffer.size();
    wait_for(POLLIN, "bytes");
    buffer.resize(before + receive_bytes);
    const auto received = ::recv(fd(), buffer.data() + before, receive_bytes, MSG_DONTWAIT);
    buffer.resize(before + static_cast<std::size_t>(received > 0 ? received : 0));
    if (received < 0) fail("recv");
    return received > 0;
}

void Client::discard_some() {
    constexpr std::size_t at_most = 1 << 30;
    wait_for(POLLIN, "bytes");
    if (::recv(fd(), nullptr, at_most, MSG_DONTWAIT | MSG_TRUNC) < 0) fail("recv");
}

Ending Client::ending(std::string* rest) {
    std::string buffer = take_unread();
    if (rest) *rest = buffer;
    for (;;) {
        wait_for(POLLIN, "the end");
        buffer.resize(receive_bytes);
        const auto received = ::recv(fd(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (received == 0) return Ending::closed;
        if (received < 0 && errno == ECONNRESET) return Ending::reset;
        if (received < 0) fail("recv");
        if (rest) rest->append(buffer, 0, static_cast<std::size_t>(received));
    }
}

bool Client::readable_within(std::chrono::milliseconds time) {
    return poll_one(fd(), POLLIN, time) != 0;
}

void Client::await_arrival() {
    const auto until = std::chrono::steady_clock::now() + time_limit;
    for (int bytes = 1; bytes > 0; std::this_thread::yield()) {
        if (::ioctl(fd(), SIOCOUTQ, &bytes) != 0) throw Unexpected{"no SIOCOUTQ"};
        if (std::chrono::steady_clock::now() > until) throw TimedOut{"it does not arrive"};
    }
}

void Client::await_hang_up() {
    // A closed socket shows that it is closed only when a byte arrives. A server that drains the
    // connection throws the byte away.
    constexpr std::chrono::milliseconds pause{10};
    for (auto waited = pause; waited < time_limit; waited += pause) {
        if (::send(fd(), "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && peer_has_gone()) return;
        if (poll_one(fd(), 0, pause) != 0) return;  // poll(2) always reports POLLHUP and POLLERR
    }
    throw TimedOut{"the server keeps the connection"};
}

void Client::half_close() {
    if (::shutdown(fd(), SHUT_WR) != 0) fail("shutdown");
}

void Client::reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    if (::setsockopt(fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) != 0)
        fail("setsockopt");
    close();
}

}  // namespace weir::tests
