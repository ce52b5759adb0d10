#include "rules/access/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <optional>

#include "base/of_thread.h"

namespace weir::rules {
namespace {

constexpr std::string_view unix_word = "unix";

unsigned bits_of(Peer::Kind kind) noexcept {
    switch (kind) {
        case Peer::Kind::ipv4: return 32;
        case Peer::Kind::ipv6: return 128;
        case Peer::Kind::unix_socket:
        case Peer::Kind::unknown: return 0;
    }
    return 0;
}

/// inet_pton(3) wants a NUL behind the text.
std::optional<Peer> parse_address(std::string_view text) noexcept {
    std::array<char, INET6_ADDRSTRLEN + 1> buffer{};
    if (text.size() >= buffer.size() || text.contains('\0')) return std::nullopt;
    text.copy(buffer.data(), text.size());
    Peer peer;
    if (::inet_pton(AF_INET, buffer.data(), peer.bytes.data()) == 1) {
        peer.kind = Peer::Kind::ipv4;
        return peer;
    }
    if (::inet_pton(AF_INET6, buffer.data(), peer.bytes.data()) != 1) return std::nullopt;
    peer.kind = Peer::Kind::ipv6;
    return peer;
}

bool is_mapped(const Peer& peer) noexcept {
    constexpr std::array<std::uint8_t, 12> prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    return peer.kind == Peer::Kind::ipv6 &&
           std::equal(prefix.begin(), prefix.end(), peer.bytes.begin());
}

/// With zeros behind the first `bits` bits.
Peer cut(Peer peer, unsigned bits) noexcept {
    for (unsigned at = 0; at < peer.bytes.size(); ++at) {
        const unsigned kept = bits > at * 8 ? std::min(bits - at * 8, 8U) : 0;
        peer.bytes[at] &= static_cast<std::uint8_t>(0xff00U >> kept);
    }
    return peer;
}

std::string in_words(const Peer& peer) {
    if (peer.kind == Peer::Kind::unix_socket) return std::string{unix_word};
    std::array<char, INET6_ADDRSTRLEN> text{};
    const int family = peer.kind == Peer::Kind::ipv4 ? AF_INET : AF_INET6;
    ::inet_ntop(family, peer.bytes.data(), text.data(), text.size());
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

Peer Peer::parse(std::string_view address) noexcept {
    if (address.starts_with("unix:")) return {};
    Peer peer = parse_address(address).value_or(Peer{.kind = Kind::unknown});
    if (!is_mapped(peer)) return peer;
    Peer inner{.kind = Kind::ipv4};
    std::copy_n(peer.bytes.begin() + 12, 4, inner.bytes.begin());
    return inner;
}

Peer Peer::of(const http::Request& request) {
    std::string* const text = OfThread<std::string>::get();  // keeps its memory
    if (text == nullptr) throw std::bad_alloc{};
    text->clear();
    request.append_client_address(*text);
    return parse(*text);
}

Peer Peer::client() const noexcept {
    constexpr unsigned of_a_household = 64;
    return kind == Kind::ipv6 ? cut(*this, of_a_household) : *this;
}

std::expected<Network, std::string> Network::parse(std::string_view text) {
    Network network;
    if (text == unix_word) return network;
    const std::size_t slash = text.find('/');
    const auto address = parse_address(text.substr(0, slash));
    if (!address) return not_a_network(text);
    if (is_mapped(*address))
        return std::unexpected{"'" + std::string{text} +
                               "' is an IPv4 address within IPv6; write " +
                               in_words(Peer::parse(text.substr(0, slash)))};
    const unsigned all = bits_of(address->kind);
    const auto bits = slash == text.npos ? all : parse_bits(text.substr(slash + 1), all);
    if (!bits) return not_a_network(text);
    network.first_ = cut(*address, *bits);
    network.bits_ = *bits;
    if (network.first_ != *address)
        return std::unexpected{"'" + std::string{text} + "' is an address within the network " +
                               network.text()};
    return network;
}

bool Network::contains(const Peer& peer) const noexcept {
    return peer.kind == first_.kind && cut(peer, bits_) == first_;
}

std::string Network::text() const {
    const std::string address = in_words(first_);
    return bits_ == bits_of(first_.kind) ? address : address + '/' + std::to_string(bits_);
}

bool any_contains(const std::vector<Network>& networks, const Peer& peer) noexcept {
    return std::ranges::any_of(networks,
                               [&](const Network& network) { return network.contains(peer); });
}

}  // namespace weir::rules
