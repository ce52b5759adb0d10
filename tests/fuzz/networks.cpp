// A network is written as it is read, and contains the addresses that have its bits in common. The
// model is inet_pton(3).

#include <arpa/inet.h>

#include <array>
#include <charconv>
#include <optional>

#include "access/request/network.h"
#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

struct Plain {
    int family = 0;
    std::array<std::uint8_t, 16> bytes{};
};

std::optional<Plain> address_from(std::string_view text) {
    const std::string copy{text};
    if (copy.contains('\0')) return std::nullopt;
    for (const int family : {AF_INET, AF_INET6})
        if (Plain plain{.family = family};
            ::inet_pton(family, copy.c_str(), plain.bytes.data()) == 1)
            return plain;
    return std::nullopt;
}

bool bit(const Plain& address, unsigned at) {
    return (address.bytes[at / 8] >> (7 - at % 8) & 1) != 0;
}

/// The number of the first bits, if the text says one.
std::optional<unsigned> bits_from(std::string_view text, unsigned max) {
    unsigned bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || bits > max)
        return std::nullopt;
    return bits;
}

bool is_mapped(const Plain& address) {
    const std::array<std::uint8_t, 12> prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    return address.family == AF_INET6 &&
           std::equal(prefix.begin(), prefix.end(), address.bytes.begin());
}

/// Whether the text is a network by the rules of the page.
bool is_network(std::string_view text) {
    if (text == "unix") return true;
    const std::size_t slash = text.find('/');
    const auto first = address_from(text.substr(0, slash));
    if (!first || is_mapped(*first)) return false;
    const unsigned all = first->family == AF_INET ? 32 : 128;
    const auto bits = slash == text.npos ? all : bits_from(text.substr(slash + 1), all);
    if (!bits) return false;
    for (unsigned at = *bits; at < all; ++at)
        if (bit(*first, at)) return false;
    return true;
}

void require_containment(const access::Network& network, std::string_view first_text,
                         std::string_view other_text) {
    const auto first = address_from(first_text);
    const auto other = address_from(other_text);
    if (!first || !other || is_mapped(*other)) return;
    bool expected = first->family == other->family;
    for (unsigned at = 0; expected && at < network.bits(); ++at)
        expected = bit(*first, at) == bit(*other, at);
    require(network.contains(access::Client::parse(other_text)) == expected);
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const ExactCopy text{input.text};
    std::string_view rest = text.view();
    const std::string_view line = take_line(rest);
    const auto network = access::Network::parse(line);
    require(network.has_value() == is_network(line));
    if (!network) return require(network.error().starts_with("'"));
    const auto again = access::Network::parse(network->text());
    require(again.has_value() && again->text() == network->text());
    require_containment(*network, line.substr(0, line.find('/')), take_line(rest));
}

}  // namespace weir::tests
