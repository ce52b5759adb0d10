#include "access/request/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace weir::access {
namespace {

constexpr std::string_view unix_word = "unix";

unsigned bits_of(Client::Kind kind) noexcept {
    switch (kind) {
        case Client::Kind::ipv4: return 32;
        case Client::Kind::ipv6: return 128;
        case Client::Kind::unix_socket:
        case Client::Kind::unknown: break;
    }
    return 0;
}

std::string in_words(const Client& client) {
    if (client.kind == Client::Kind::unix_socket) return std::string{unix_word};
    std::array<char, INET6_ADDRSTRLEN> text{};
    const int family = client.kind == Client::Kind::ipv4 ? AF_INET : AF_INET6;
    ::inet_ntop(family, client.bytes.data(), text.data(), text.size());
    return text.data();
}

std::unexpected<std::string> not_a_network(std::string_view text) {
    return std::unexpected{"'" + std::string{text} +
                           "' is no network such as 192.0.2.0/24, 2001:db8::/32 or 192.0.2.7, and "
                           "not unix"};
}

std::optional<unsigned> parse_bits(std::string_view text, unsigned max) noexcept {
    unsigned bits = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, bits);
    if (text.empty() || result.ec != std::errc{} || result.ptr != end || bits > max)
        return std::nullopt;
    return bits;
}

}  // namespace

std::expected<Network, std::string> Network::parse(std::string_view text) {
    if (text == unix_word) return Network{{.kind = Client::Kind::unix_socket}, 0};
    const std::size_t slash = text.find('/');
    const std::string_view address = text.substr(0, slash);
    const Client first = Client::parse(address);
    const unsigned all = bits_of(first.kind);
    if (all == 0 || address.contains('%')) return not_a_network(text);
    if (first.kind == Client::Kind::ipv4 && address.contains(':'))
        return std::unexpected{"'" + std::string{text} +
                               "' is an IPv4 address within IPv6; write " + in_words(first)};
    const auto bits = slash == text.npos ? all : parse_bits(text.substr(slash + 1), all);
    if (!bits) return not_a_network(text);
    const Network network{first.within(*bits), *bits};
    if (network.first_ != first)
        return std::unexpected{"'" + std::string{text} + "' is an address within the network " +
                               network.text()};
    return network;
}

std::string Network::text() const {
    const std::string address = in_words(first_);
    return bits_ == bits_of(first_.kind) ? address : address + '/' + std::to_string(bits_);
}

std::expected<NetworkList, std::string> parse_networks(const std::vector<std::string>& texts) {
    NetworkList networks;
    for (const std::string& text : texts) {
        const auto network = Network::parse(text);
        if (!network) return std::unexpected{network.error()};
        networks.push_back(*network);
    }
    return networks;
}

bool any_contains(const NetworkList& networks, const Client& client) noexcept {
    return std::ranges::any_of(networks,
                               [&](const Network& network) { return network.contains(client); });
}

}  // namespace weir::access
