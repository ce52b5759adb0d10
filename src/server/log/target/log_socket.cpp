#include "server/log/target/log_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "base/last_error.h"
#include "net/address.h"
#include "net/clock.h"
#include "net/uninterrupted.h"

namespace weir::server {
namespace {

constexpr std::chrono::milliseconds patience{500};

// Daemons cut longer lines themselves: LineMax is 48 KB in journald.conf(5).
constexpr std::size_t datagram_bytes_max = std::size_t{48} << 10u;

/// Nothing if the path is too long for a socket.
std::optional<net::Address> address_of(const std::string& path) {
    return net::Address::parse("unix:" + path, 0);
}

net::UniqueFd make_socket() noexcept {
    return net::UniqueFd{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
}

/// A connected socket alone tells whether a daemon reads at the path, and datagrams of it.
std::error_code find_daemon(const net::Address& address) noexcept {
    const net::UniqueFd probe = make_socket();
    if (!probe) return last_error();
    const auto done =
        net::uninterrupted([&] { return ::connect(probe.get(), address.data(), address.size()); });
    return done == 0 ? std::error_code{} : last_error();
}

/// SO_SNDTIMEO in socket(7): a send that waits for the daemon ends after that time (EAGAIN).
std::error_code limit_waiting(int fd) noexcept {
    const auto microseconds = std::chrono::microseconds{patience}.count();
    const timeval time{.tv_sec = 0, .tv_usec = microseconds};
    const auto done = ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
    return done == 0 ? std::error_code{} : last_error();
}

}  // namespace

std::expected<net::UniqueFd, std::error_code> LogSocket::open(const LogDestination& to) {
    const auto address = address_of(to.path);
    if (!address) return std::unexpected{std::make_error_code(std::errc::filename_too_long)};
    if (const auto error = find_daemon(*address)) return std::unexpected{error};
    auto fd = make_socket();
    if (!fd) return std::unexpected{last_error()};
    if (const auto error = limit_waiting(fd.get())) return std::unexpected{error};
    return fd;
}

LogSocket::LogSocket(const LogDestination& to, std::string name, int shared)
    : address_{address_of(to.path).value_or(net::Address{})},
      name_{std::move(name)},
      fd_{::fcntl(shared, F_DUPFD_CLOEXEC, 0)} {
    if (!fd_) throw std::system_error{last_error(), "a descriptor for the log"};
    datagram_.reserve(datagram_bytes_max);
}

LogFile::Written LogSocket::write(std::string_view bytes, const std::atomic<bool>& stopping) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto feed = std::min(bytes.find('\n', done), bytes.size());
        datagram_ = bytes.substr(done, std::min(feed - done, datagram_bytes_max));
        std::ranges::replace(datagram_, '\0', '\n');
        if (!send(stopping))
            return {.size = done, .error = errno == EAGAIN ? std::error_code{} : last_error()};
        done = feed + 1;
    }
    return {.size = done, .error = {}};
}

/// Sends `datagram_`. False after an error; EAGAIN: the daemon has too much to read.
bool LogSocket::send(const std::atomic<bool>& stopping) noexcept {
    for (;;) {
        const bool waits = may_wait(stopping);
        const int flags = MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT);
        const auto sent = net::uninterrupted([&] {
            return ::sendto(fd_.get(), datagram_.data(), datagram_.size(), flags, address_.data(),
                            address_.size());
        });
        if (sent >= 0 || errno != EAGAIN || !waits) return sent >= 0;
    }
}

bool LogSocket::may_wait(const std::atomic<bool>& stopping) noexcept {
    if (give_up_at_ == never && !stopping.load(std::memory_order_relaxed)) return true;
    const Instant now = net::read_instant();
    if (give_up_at_ == never) give_up_at_ = now + patience;
    return now < give_up_at_;
}

}  // namespace weir::server
