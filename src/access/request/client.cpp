#include "access/request/client.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <new>
#include <string>

#include "base/thread_local.h"

namespace weir::access {
namespace {

/// inet_pton(3) needs a NUL behind the text.
Client parse_address(std::string_view text) noexcept {
    std::array<char, INET6_ADDRSTRLEN + 1> buffer{};
    if (text.size() >= buffer.size() || text.contains('\0')) return {};
    text.copy(buffer.data(), text.size());
    Client client;
    if (::inet_pton(AF_INET, buffer.data(), client.bytes.data()) == 1)
        client.kind = Client::Kind::ipv4;
    else if (::inet_pton(AF_INET6, buffer.data(), client.bytes.data()) == 1)
        client.kind = Client::Kind::ipv6;
    return client;
}

/// "::ffff:192.0.2.7"
bool is_mapped(const Client& client) noexcept {
    constexpr std::array<std::uint8_t, 12> prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    return client.kind == Client::Kind::ipv6 &&
           std::equal(prefix.begin(), prefix.end(), client.bytes.begin());
}

}  // namespace

Client Client::parse(std::string_view address) noexcept {
    if (address.starts_with("unix:")) return {.kind = Kind::unix_socket};
    // The zone of "fe80::1%eth0" (RFC 4007 11) is not part of the number.
    const Client client = parse_address(address.substr(0, address.find('%')));
    if (!is_mapped(client)) return client;
    Client inner{.kind = Kind::ipv4};
    std::copy_n(client.bytes.begin() + 12, 4, inner.bytes.begin());
    return inner;
}

Client Client::of(const http::Request& request) {
    std::string* const text = ThreadLocal<std::string>::get();  // keeps its memory
    if (text == nullptr) throw std::bad_alloc{};
    text->clear();
    request.origin().append_address(*text);
    return parse(*text);
}

Client Client::within(unsigned bits) const noexcept {
    Client cut = *this;
    for (unsigned at = 0; at < cut.bytes.size(); ++at) {
        const unsigned kept = bits > at * 8 ? std::min(bits - at * 8, 8U) : 0;
        cut.bytes[at] &= static_cast<std::uint8_t>(0xff00U >> kept);
    }
    return cut;
}

std::array<char, 17> Client::key() const noexcept {
    constexpr unsigned of_a_household = 64;
    const Client one = kind == Kind::ipv6 ? within(of_a_household) : *this;
    std::array<char, 17> key{static_cast<char>(one.kind)};
    std::ranges::transform(one.bytes, key.begin() + 1,
                           [](std::uint8_t byte) { return static_cast<char>(byte); });
    return key;
}

}  // namespace weir::access
