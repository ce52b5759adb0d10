#include "server/entrance/given_sockets.h"

#include <fcntl.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/last_error.h"

namespace weir::server {
namespace {

bool answers(const net::Address& socket, const net::Address& wanted) {
    if (!wanted.is_unix() && wanted.port() == 0)
        return socket.family() == wanted.family() && socket.host() == wanted.host();
    return socket.text() == wanted.text();
}

}  // namespace

std::expected<GivenSockets, std::error_code> GivenSockets::duplicate(
    std::span<const int> descriptors) {
    GivenSockets given;
    for (const int descriptor : descriptors) {
        const auto address = net::Address::of_socket(descriptor);
        if (!address) return std::unexpected{last_error()};
        net::UniqueFd fd{::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)};
        if (!fd) return std::unexpected{last_error()};
        given.sockets_.push_back({*address, std::move(fd)});
    }
    return given;
}

std::optional<std::expected<net::Listener, std::error_code>> GivenSockets::take(
    const net::Address& address) {
    const auto first = std::ranges::find_if(
        sockets_, [&](const Socket& each) { return each.fd && answers(each.address, address); });
    if (first == sockets_.end()) return std::nullopt;
    const std::string text = first->address.text();
    auto listener = net::Listener::adopt(std::move(first->fd));
    if (!listener) return listener;
    for (Socket& each : sockets_)
        if (each.fd && each.address.text() == text) listener->reserve_sibling(std::move(each.fd));
    return listener;
}

bool GivenSockets::overlap(const net::Address& address) const {
    return std::ranges::any_of(sockets_, [&](const Socket& each) {
        return !address.is_unix() && address.port() != 0 &&
               each.address.family() == address.family() && each.address.port() == address.port() &&
               (each.address.is_any() || address.is_any());
    });
}

}  // namespace weir::server
