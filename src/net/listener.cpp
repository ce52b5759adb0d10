#include "net/listener.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string>

#include "base/last_error.h"
#include "net/io.h"

namespace weir::net {
namespace {

using Opened = std::expected<UniqueFd, std::error_code>;

Opened make_socket(int family) {
    UniqueFd fd{::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
    if (!fd) return std::unexpected{last_error()};
    return fd;
}

bool switch_on(const UniqueFd& fd, int level, int option) {
    constexpr int on = 1;
    return ::setsockopt(fd.get(), level, option, &on, sizeof on) == 0;
}

Opened bind_socket(const Address& address, bool share_port) {
    auto fd = make_socket(address.family());
    if (!fd) return fd;
    // SO_REUSEADDR: connections of an earlier run in TIME_WAIT don't keep the port busy.
    bool ready = address.is_unix() || switch_on(*fd, SOL_SOCKET, SO_REUSEADDR);
    if (share_port) ready = ready && switch_on(*fd, SOL_SOCKET, SO_REUSEPORT);
    if (address.family() == AF_INET6) ready = ready && switch_on(*fd, IPPROTO_IPV6, IPV6_V6ONLY);
    if (!address.is_unix()) ready = ready && set_up_tcp(fd->get());
    if (!ready || ::bind(fd->get(), address.data(), address.size()) != 0)
        return std::unexpected{last_error()};
    return fd;
}

Opened start_listening(Opened fd) {
    if (fd && ::listen(fd->get(), backlog_max()) != 0) return std::unexpected{last_error()};
    return fd;
}

Opened bind_and_listen(const Address& address, bool share_port) {
    return start_listening(bind_socket(address, share_port));
}

/// Gives the socket the settings of the sockets that this file makes.
bool make_ours(const UniqueFd& fd, const Address& address) {
    const int flags = ::fcntl(fd.get(), F_GETFL);
    return flags >= 0 && ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) == 0 &&
           ::fcntl(fd.get(), F_SETFD, FD_CLOEXEC) == 0 &&
           (address.is_unix() || set_up_tcp(fd.get()));
}

std::expected<bool, std::error_code> shares_port(const UniqueFd& fd, const Address& address) {
    if (address.is_unix()) return false;
    int on = 0;
    socklen_t size = sizeof on;
    if (::getsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, &size) != 0)
        return std::unexpected{last_error()};
    return on != 0;
}

// A server that was killed leaves its file behind. The file is removed only if it is a socket and
// connections to it are refused.
bool remove_stale_socket(const Address& address) {
    const std::string path{address.path()};
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
    const auto probe = make_socket(AF_UNIX);
    if (!probe || ::connect(probe->get(), address.data(), address.size()) == 0) return false;
    return errno == ECONNREFUSED && ::unlink(path.c_str()) == 0;
}

int read_backlog_max() noexcept {
    constexpr int where_unknown = SOMAXCONN;
    const UniqueFd file{::open("/proc/sys/net/core/somaxconn", O_RDONLY | O_CLOEXEC)};
    std::array<char, 16> text;
    const auto size = file ? ::read(file.get(), text.data(), text.size()) : -1;
    int value = 0;
    if (size <= 0 || std::from_chars(text.data(), text.data() + size, value).ec != std::errc{})
        return where_unknown;
    return value;
}

}  // namespace

int backlog_max() noexcept {
    static const int value = read_backlog_max();  // later, a sandbox may forbid the file
    return value;
}

std::expected<Listener, std::error_code> Listener::open(const Address& address) {
    if (address.is_unix()) return open_unix(address);
    // Siblings need SO_REUSEPORT, which would also let two servers of the same user share a port
    // without noticing. A first bind without it fails in that case. It also chooses the port for 0.
    const auto probe = bind_socket(address, false);
    if (!probe) return std::unexpected{probe.error()};
    const auto bound = Address::of_socket(probe->get());
    if (!bound) return std::unexpected{last_error()};
    // The probe has SO_REUSEADDR and does not listen, so a second bind to the port succeeds.
    auto fd = bind_and_listen(*bound, true);
    if (!fd) return std::unexpected{fd.error()};
    return Listener{std::move(*fd), *bound};
}

std::expected<Listener, std::error_code> Listener::open_unix(const Address& address) {
    auto fd = bind_and_listen(address, false);
    if (!fd && fd.error() == std::errc::address_in_use && remove_stale_socket(address))
        fd = bind_and_listen(address, false);
    if (!fd) return std::unexpected{fd.error()};
    Listener listener{std::move(*fd), address};
    listener.remember_file();
    return listener;
}

std::expected<Listener, std::error_code> Listener::open_beside(const Address& address) {
    auto fd = bind_and_listen(address, true);
    if (!fd) return std::unexpected{fd.error()};
    const auto bound = Address::of_socket(fd->get());
    if (!bound) return std::unexpected{last_error()};
    return Listener{std::move(*fd), *bound};
}

std::expected<Listener, std::error_code> Listener::adopt(UniqueFd fd) {
    const auto address = Address::of_socket(fd.get());
    if (!address) return std::unexpected{last_error()};
    const bool is_bound = address->is_unix() ? !address->path().empty() : address->port() != 0;
    if (!is_bound) return std::unexpected{std::make_error_code(std::errc::invalid_argument)};
    if (!make_ours(fd, *address)) return std::unexpected{last_error()};
    auto listening = start_listening(std::move(fd));
    if (!listening) return std::unexpected{listening.error()};
    const auto shares = shares_port(*listening, *address);
    if (!shares) return std::unexpected{shares.error()};
    Listener listener{std::move(*listening), *address};
    listener.shares_queue_ = !*shares;
    return listener;
}

Listener::Listener(Listener&& other) noexcept
    : fd_{std::move(other.fd_)},
      address_{other.address_},
      listener_kind_{other.listener_kind_},
      file_{std::exchange(other.file_, {})},
      shares_queue_{other.shares_queue_},
      reserved_{std::move(other.reserved_)} {}

Listener& Listener::operator=(Listener&& other) noexcept {
    close();
    fd_ = std::move(other.fd_);
    address_ = other.address_;
    listener_kind_ = other.listener_kind_;
    file_ = std::exchange(other.file_, {});
    shares_queue_ = other.shares_queue_;
    reserved_ = std::move(other.reserved_);
    return *this;
}

Listener::~Listener() { close(); }

std::size_t Listener::queued() const noexcept {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(fd_.get(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return SIZE_MAX;
    return info.tcpi_unacked;  // for a listener: the length of its queue
}

std::size_t Listener::waiting() const noexcept {
    if (fd_.get() < 0) return 0;
    if (!address_.is_unix()) return queued();
    pollfd watched{fd_.get(), POLLIN, 0};
    return ::poll(&watched, 1, 0) > 0 ? 1 : 0;
}

// The file is removed first, so that no client finds the name of a closed socket.
void Listener::close() noexcept {
    remove_file();
    fd_.reset();
    reserved_.clear();
}

std::expected<UniqueFd, std::error_code> Listener::open_sibling() {
    if (address_.is_unix() || shares_queue_) {
        UniqueFd fd{::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0)};
        if (!fd) return std::unexpected{last_error()};
        return fd;
    }
    if (reserved_.empty()) return bind_and_listen(address_, true);
    auto fd = start_listening(std::move(reserved_.back()));
    reserved_.pop_back();
    return fd;
}

std::expected<Listener, std::error_code> Listener::sibling() {
    auto fd = open_sibling();
    if (!fd) return std::unexpected{fd.error()};
    Listener made{std::move(*fd), address_};
    made.listener_kind(listener_kind_);
    made.shares_queue_ = shares_queue_;
    return made;
}

std::error_code Listener::reserve_siblings(unsigned count) {
    if (address_.is_unix() || shares_queue_) return {};
    while (reserved_.size() < count) {
        auto fd = bind_socket(address_, true);
        if (!fd) return fd.error();
        reserved_.push_back(std::move(*fd));
    }
    return {};
}

std::expected<std::vector<Listener>, std::error_code> Listener::take_surplus(std::size_t count) {
    std::vector<Listener> surplus;
    while (reserved_.size() > count) {
        auto fd = start_listening(std::move(reserved_.back()));
        reserved_.pop_back();
        if (!fd) return std::unexpected{fd.error()};
        Listener listener{std::move(*fd), address_};
        listener.listener_kind(listener_kind_);
        listener.shares_queue_ = true;
        surplus.push_back(std::move(listener));
    }
    return surplus;
}

std::expected<std::vector<Listener>, std::error_code> siblings_of(std::span<Listener> listeners) {
    std::vector<Listener> siblings;
    for (Listener& listener : listeners) {
        auto sibling = listener.sibling();
        if (!sibling) return std::unexpected{sibling.error()};
        siblings.push_back(std::move(*sibling));
    }
    return siblings;
}

void Listener::remember_file() noexcept {
    struct stat status{};
    if (::lstat(address_.c_path(), &status) == 0)
        file_ = {status.st_dev, status.st_ino, ::getpid()};
}

void Listener::remove_file() noexcept {
    if (std::exchange(file_.owner, 0) != ::getpid()) return;
    const char* const path = address_.c_path();
    struct stat status{};
    if (::lstat(path, &status) != 0) return;
    if (status.st_dev == file_.device && status.st_ino == file_.inode) ::unlink(path);
}

}  // namespace weir::net
