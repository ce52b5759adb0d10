#include "supervisor/control_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <new>
#include <string_view>
#include <utility>

#include "base/last_error.h"
#include "base/troubles.h"
#include "net/uninterrupted.h"

namespace weir::supervisor {
namespace {

constexpr std::size_t callers_max = 16;
constexpr std::chrono::milliseconds patience{5'000};

/// True for the supervisor's own user, and for root.
bool may_ask(int socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
    return peer.uid == 0 || peer.uid == ::geteuid();
}

/// Returns the number of bytes; 0 if none have come yet; -1 at the end, and after an error.
ssize_t read_some(int socket, std::span<char> into) {
    const auto size = ::recv(socket, into.data(), into.size(), 0);
    if (size > 0) return size;
    return size < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

std::string failure(std::string_view what) {
    return std::string{what} + ": " + last_error().message();
}

/// Reads until the end, an error or a timeout.
std::string read_all(int socket) {
    std::string text;
    std::array<char, 4'096> bytes;
    while (text.size() <= answer_bytes_max) {
        const auto size =
            net::uninterrupted([&] { return ::recv(socket, bytes.data(), bytes.size(), 0); });
        if (size <= 0) break;
        text.append(bytes.data(), static_cast<std::size_t>(size));
    }
    return text;
}

}  // namespace

// An answer is small, and a unix socket without earlier data can hold it. If there is no memory for
// the answer, the connection ends without one, and the client reports that.
void ControlSocket::Client::answer(const Answer& answer) noexcept try {
    const net::UniqueFd socket = std::move(socket_);
    const std::string text = write_answer(answer);
    ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

std::expected<ControlSocket, std::error_code> ControlSocket::open(const net::Address& address) {
    const mode_t before = ::umask(0177);  // no other user has access at any moment
    auto listener = net::Listener::open(address);
    ::umask(before);
    if (!listener) return std::unexpected{listener.error()};
    return ControlSocket{std::move(*listener)};
}

std::expected<ControlSocket, std::error_code> ControlSocket::resume(const State& state,
                                                                    Instant now) {
    std::vector<Caller> callers;
    for (const KeptClient& each : state.callers) {
        callers.push_back({net::UniqueFd{each.socket}, {}, now + patience});
        callers.back().line.add(each.text);
    }
    auto listener = net::Listener::adopt(net::UniqueFd{state.control_socket});
    if (!listener) return std::unexpected{listener.error()};
    listener->own_file();
    ControlSocket control{std::move(*listener)};
    control.callers_ = std::move(callers);
    return control;
}

void ControlSocket::keep(State& state) const {
    state.control = listener_.address().text();
    state.control_socket = listener_.fd();
    for (const Caller& each : callers_)
        state.callers.push_back({each.socket.get(), each.line.text()});
}

void ControlSocket::watch(std::vector<pollfd>& watched) const {
    if (callers_.size() < callers_max) watched.push_back({listener_.fd(), POLLIN, 0});
    for (const Caller& each : callers_) watched.push_back({each.socket.get(), POLLIN, 0});
}

Instant ControlSocket::next() const noexcept {
    Instant next = never;
    for (const Caller& each : callers_) next = std::min(next, each.until);
    return next;
}

void ControlSocket::accept(Instant now) {
    while (callers_.size() < callers_max) {
        net::UniqueFd socket{
            ::accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
        if (!socket) return;
        if (may_ask(socket.get())) {
            callers_.push_back({std::move(socket), {}, now + patience});
        } else {
            Client{std::move(socket)}.answer(
                {.text = "only root and the user that runs weir may ask this"});
        }
    }
}

void ControlSocket::take(Instant now, const std::function<void(Request, Client)>& ask) {
    accept(now);
    for (Caller& each : callers_) {
        std::array<char, RequestLine::bytes_max> bytes;
        const auto size = read_some(each.socket.get(), bytes);
        if (size == 0 && now < each.until) continue;
        const auto length = static_cast<std::size_t>(std::max<ssize_t>(size, 0));
        const auto state = each.line.add({bytes.data(), length});
        if (size > 0 && state == RequestLine::State::unfinished) continue;
        const auto request =
            state == RequestLine::State::finished ? request_named(each.line.text()) : std::nullopt;
        Client client{std::move(each.socket)};
        if (request)
            ask(*request, std::move(client));
        else
            client.answer({.text = "unknown request"});
    }
    std::erase_if(callers_, [](const Caller& each) { return !each.socket; });
}

std::expected<Answer, std::string> ask(const net::Address& address, Request request,
                                       std::chrono::milliseconds limit) {
    const net::UniqueFd socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (!socket) return std::unexpected{failure("no socket")};
    const timeval time{.tv_sec = limit.count() / 1'000, .tv_usec = 0};
    for (const int option : {SO_SNDTIMEO, SO_RCVTIMEO})
        ::setsockopt(socket.get(), SOL_SOCKET, option, &time, sizeof time);
    if (net::uninterrupted(
            [&] { return ::connect(socket.get(), address.data(), address.size()); }) != 0)
        return std::unexpected{failure("no server answers at " + address.text())};
    const std::string line = std::string{name_of(request)} + '\n';
    if (net::uninterrupted(
            [&] { return ::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL); }) < 0)
        return std::unexpected{failure(address.text())};
    auto answer = read_answer(read_all(socket.get()));
    if (!answer) return std::unexpected{address.text() + " gave no answer"};
    return std::move(*answer);
}

}  // namespace weir::supervisor
