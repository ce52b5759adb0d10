// A network contains the addresses whose first bits are its own. The first line is a network, the
// second an address. The model writes addresses as texts of zeros and ones.

#include "rules/access/network.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <optional>

#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

std::optional<std::string> bits_of(const std::string& address, int family) {
    std::array<unsigned char, 16> bytes{};
    if (address.contains('\0') || ::inet_pton(family, address.c_str(), bytes.data()) != 1)
        return std::nullopt;
    std::string bits;
    for (std::size_t i = 0; i < (family == AF_INET ? 4U : 16U); ++i)
        for (int bit = 7; bit >= 0; --bit) bits += (bytes[i] >> bit & 1) != 0 ? '1' : '0';
    return bits;
}

const std::string mapped = std::string(80, '0') + std::string(16, '1');

/// "4" or "6" and the bits; empty if it is no address.
std::string plain(const std::string& address) {
    if (const auto bits = bits_of(address, AF_INET)) return '4' + *bits;
    const auto bits = bits_of(address, AF_INET6);
    if (!bits) return {};
    return bits->starts_with(mapped) ? '4' + bits->substr(96) : '6' + *bits;
}

/// What the addresses of the network begin with; nothing if it is none.
std::optional<std::string> plain_network(const std::string& text) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::string address = plain(text.substr(0, slash));
    const bool is_mapped = address.starts_with('4') && text.substr(0, slash).contains(':');
    if (address.empty() || is_mapped) return std::nullopt;
    if (slash == text.size()) return address;
    const std::string number = text.substr(slash + 1);
    if (number.empty() || number.find_first_not_of("0123456789") != number.npos)
        return std::nullopt;
    const std::size_t nonzero = std::min(number.find_first_not_of('0'), number.size());
    if (number.size() - nonzero > 3) return std::nullopt;
    const std::size_t bits = 1 + std::stoul(number);
    if (bits > address.size() || address.find('1', bits) != address.npos) return std::nullopt;
    return address.substr(0, bits);
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string first{take_line(text)};
    const std::string second{take_line(text)};
    const auto network = rules::Network::parse(first);
    const auto model = plain_network(first);
    require(network.has_value() == (model || first == "unix"));
    if (!network) return;
    const auto again = rules::Network::parse(network->text());
    require(again && again->text() == network->text() && again->bits() == network->bits());
    const std::string address = plain(second);
    const bool contains = network->contains(rules::Peer::parse(second));
    require(contains ==
            (model ? !address.empty() && address.starts_with(*model) : address.empty()));
}

}  // namespace weir::tests
