#include "server/entrance/listening.h"

#include <poll.h>

#include <span>
#include <utility>

#include "net/clock.h"
#include "net/system/system_limits.h"
#include "server/entrance/connector.h"
#include "server/entrance/endpoint.h"
#include "server/entrance/given_sockets.h"

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

/// Tries for `patience` while the port is in use.
std::expected<net::Listener, std::error_code> open_listener(const net::Address& address,
                                                            milliseconds patience,
                                                            GivenSockets& given) {
    constexpr milliseconds pause{10};
    if (auto taken = given.take(address)) return std::move(*taken);
    if (given.overlap(address)) return net::Listener::open_beside(address);
    for (const Instant until = net::read_instant() + patience;;) {
        auto listener = net::Listener::open(address);
        if (listener || listener.error() != std::errc::address_in_use ||
            net::read_instant() >= until)
            return listener;
        ::poll(nullptr, 0, pause.count());
    }
}

/// Opens all addresses that `text` means, on the same port. If these are an IPv4 and an IPv6
/// address, one of the two is enough.
std::expected<void, Failure> open_listeners(const std::string& text, std::uint16_t default_port,
                                            milliseconds patience, GivenSockets& given,
                                            Listeners& listeners) {
    auto endpoints = parse_endpoints(text, default_port);
    if (endpoints.empty())
        return failure("cannot listen on '" + text + "', which is not an address",
                       std::make_error_code(std::errc::invalid_argument), text);
    const auto before = listeners.size();
    for (net::Address& each : endpoints) {
        if (listeners.size() > before) each.port(listeners.back().address().port());
        auto listener = open_listener(each, patience, given);
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
                                            milliseconds patience, GivenSockets& given,
                                            Listeners& listeners) {
    if (const auto repeated = find_repeated({{addresses, default_port}}); !repeated.empty())
        return failure("cannot listen: " + repeated,
                       std::make_error_code(std::errc::invalid_argument));
    const auto before = listeners.size();
    for (const std::string& text : addresses)
        if (auto opened = open_listeners(text, default_port, patience, given, listeners); !opened)
            return opened;
    for (net::Listener& listener : std::span{listeners}.subspan(before))
        listener.listener_kind(std::to_underlying(entrance));
    return {};
}

}  // namespace

std::expected<Listeners, Failure> open_listeners(const Options& options, milliseconds patience) {
    auto given = GivenSockets::duplicate(options.given_sockets);
    if (!given) return failure("cannot listen on the sockets that were given", given.error());
    Listeners listeners;
    auto opened =
        open_listeners(options.addresses, options.port,
                       options.tls ? Entrance::tls : Entrance::plain, patience, *given, listeners);
    if (opened && options.tls)
        opened = open_listeners(options.redirect_addresses, redirect_port, Entrance::plain,
                                patience, *given, listeners);
    if (!opened) return std::unexpected{opened.error()};
    if (options.leaves_socket_files)
        for (net::Listener& listener : listeners) listener.leave_file();
    return listeners;
}

std::uint16_t port_of(const Listeners& listeners) {
    for (const net::Listener& listener : listeners)
        if (!listener.address().is_unix()) return listener.address().port();
    return 443;
}

}  // namespace weir::server
