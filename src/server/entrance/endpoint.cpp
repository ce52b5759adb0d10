#include "server/entrance/endpoint.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace weir::server {
namespace {

std::optional<std::uint16_t> parse_port(std::string_view digits) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return port;
}

/// The position of the colon before the port; npos if there is no port. The colons of an IPv6
/// address without brackets ("::1") are part of the address.
std::size_t find_port_colon(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) return colon;
    const bool bracketed = colon > 0 && text[colon - 1] == ']';
    const bool only_one = text.find(':') == colon;
    return bracketed || only_one ? colon : std::string_view::npos;
}

/// True if a listener on `one` also takes the address of `other`.
bool includes(const net::Address& one, const net::Address& other) {
    if (!one.is_unix() && one.port() == 0) return false;  // the kernel chooses a port for each
    return one.text() == other.text() ||
           (one.is_any() && one.family() == other.family() && one.port() == other.port());
}

template <typename Is>
bool are_all(std::span<const std::string> endpoints, Is is) {
    return std::ranges::all_of(endpoints, [&](const std::string& text) {
        const auto addresses = parse_endpoints(text, 0);
        return !addresses.empty() && std::ranges::all_of(addresses, is);
    });
}

}  // namespace

std::optional<net::Address> parse_endpoint(std::string_view text, std::uint16_t default_port) {
    if (text.starts_with("unix:")) return net::Address::parse(text, 0);
    const auto colon = find_port_colon(text);
    if (colon == std::string_view::npos) return net::Address::parse(text, default_port);
    const auto port = parse_port(text.substr(colon + 1));
    if (!port) return std::nullopt;
    return net::Address::parse(text.substr(0, colon), *port);
}

std::vector<net::Address> parse_endpoints(std::string_view text, std::uint16_t default_port) {
    const auto colon = find_port_colon(text);
    const std::string_view host = text.substr(0, colon);
    if (host == "*" || (host.empty() && colon == 0)) {
        const auto port = colon == std::string_view::npos ? std::optional{default_port}
                                                          : parse_port(text.substr(colon + 1));
        if (!port) return {};
        return {*net::Address::parse("0.0.0.0", *port), *net::Address::parse("::", *port)};
    }
    if (const auto port = parse_port(text)) return {*net::Address::parse("127.0.0.1", *port)};
    if (const auto address = parse_endpoint(text, default_port)) return {*address};
    return {};
}

std::string find_repeated(std::initializer_list<Endpoints> lists) {
    std::vector<net::Address> all;
    for (const Endpoints& list : lists)
        for (const std::string& text : list.texts)
            for (const net::Address& each : parse_endpoints(text, list.default_port))
                all.push_back(each);
    for (const net::Address& wide : all)
        for (const net::Address& each : all) {
            if (&wide == &each || !includes(wide, each)) continue;
            const std::string what = each.text() + " is given twice";
            return each.text() == wide.text() ? what : what + ": " + wide.text() + " includes it";
        }
    return {};
}

bool are_local(std::span<const std::string> endpoints) {
    return are_all(endpoints,
                   [](const net::Address& each) { return each.is_unix() || each.is_loopback(); });
}

bool are_loopback(std::span<const std::string> endpoints) {
    return are_all(endpoints,
                   [](const net::Address& each) { return !each.is_unix() && each.is_loopback(); });
}

}  // namespace weir::server
