#include "server/entrance/listening.h"

#include <poll.h>

#include <span>
#include <utility>

#include "net/clock.h"
#include "net/system/system_limits.h"
#include "server/endpoint.h"
#include "server/entrance/connector.h"

namespace weir::server {

using std::chrono::milliseconds;

std::unexpected<Failure> failure(const std::string& what, std::error_code code,
                                 std::string address) {
    return std::unexpected{Failure{net::with_limit(what, code), code, std::move(address)}};
}

namespace {

/// True if this machine does not support the address family.
bool is_missing_family(std::error_code error) {
    return error == std::errc::address_family_not_supported ||
           error == std::errc::address_not_available;
}

/// Tries for `patience` while the port is taken.
std::expected<net::Listener, std::error_code> open_listener(const net::Address& address,
                                                            milliseconds patience) {
    constexpr milliseconds pause{10};
    for (const Instant until = net::read_clock().instant + patience;;) {
        auto listener = net::Listener::open(address);
        if (listener || listener.error() != std::errc::address_in_use ||
            net::read_clock().instant >= until)
            return listener;
        ::poll(nullptr, 0, pause.count());
    }
}

/// Opens all addresses that `text` means, on the same port. If these are an IPv4 and an IPv6
/// address, one of the two is enough.
std::expected<void, Failure> open_listeners(const std::string& text, std::uint16_t default_port,
                                            milliseconds patience, Listeners& listeners) {
    auto endpoints = parse_endpoints(text, default_port);
    if (endpoints.empty())
        return failure("cannot listen on '" + text + "', which is not an address",
                       std::make_error_code(std::errc::invalid_argument), text);
    const auto before = listeners.size();
    for (net::Address& each : endpoints) {
        if (listeners.size() > before) each.port(listeners.back().address().port());
        auto listener = open_listener(each, patience);
        if (listener) {
            listeners.push_back(std::move(*listener));
            continue;
        }
        const bool is_last = &each == &endpoints.back();
        if (is_missing_family(listener.error()) && (!is_last || listeners.size() > before))
            continue;
        return failure("cannot listen on " + each.text(), listener.error(), each.text());
    }
    return {};
}

std::expected<void, Failure> open_listeners(const std::vector<std::string>& addresses,
                                            std::uint16_t default_port, Entrance entrance,
                                            milliseconds patience, Listeners& listeners) {
    if (const auto repeated = find_repeated(addresses, default_port); !repeated.empty())
        return failure("cannot listen: " + repeated,
                       std::make_error_code(std::errc::invalid_argument));
    const auto before = listeners.size();
    for (const std::string& text : addresses)
        if (auto opened = open_listeners(text, default_port, patience, listeners); !opened)
            return opened;
    for (net::Listener& listener : std::span{listeners}.subspan(before))
        listener.entrance(std::to_underlying(entrance));
    return {};
}

}  // namespace

std::expected<Listeners, Failure> open_listeners(const Options& options, milliseconds patience) {
    constexpr std::uint16_t redirect_port = 80;
    Listeners listeners;
    auto opened =
        open_listeners(options.addresses, options.port,
                       options.tls ? Entrance::tls : Entrance::plain, patience, listeners);
    if (opened && options.tls)
        opened = open_listeners(options.redirect_addresses, redirect_port, Entrance::plain,
                                patience, listeners);
    if (!opened) return std::unexpected{opened.error()};
    return listeners;
}

std::uint16_t port_of(const Listeners& listeners) {
    for (const net::Listener& listener : listeners)
        if (!listener.address().is_unix()) return listener.address().port();
    return 443;
}

}  // namespace weir::server
