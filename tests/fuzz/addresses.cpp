// Addresses to listen on are written as they are read, and hosts of requests are those that the C
// library takes for addresses, or names.

#include <arpa/inet.h>

#include <algorithm>

#include "fuzz/fuzz_input.h"
#include "http/syntax/authority.h"
#include "net/address.h"
#include "server/entrance/endpoint.h"

namespace weir::tests {
namespace {

using http::is_authority;
using http::Port;

/// What is written is read as the same.
void check_endpoint(const net::Address& address) {
    const std::string text = address.text();
    const auto again = server::parse_endpoint(text, 1);
    require(again && again->text() == text && again->family() == address.family());
    require(again->port() == address.port() && again->is_loopback() == address.is_loopback());
    require(address.is_unix() != address.path().empty());
    if (address.is_unix()) return;
    const net::PeerAddress peer{*reinterpret_cast<const sockaddr_storage*>(again->data())};
    std::string written;
    peer.append_to(written);
    require(peer.port() == address.port());
    require(address.family() == AF_INET6 || written == address.host());
}

void check_authority(const std::string& text) {
    std::array<unsigned char, 16> bytes{};
    const bool bare = !text.contains('\0');
    const bool is_ipv6 = bare && ::inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
    require(is_authority("[" + text + "]", Port::optional) == is_ipv6);
    require(is_authority("[" + text + "]:80", Port::required) == is_ipv6);
    const bool is_ipv4 = bare && ::inet_pton(AF_INET, text.c_str(), bytes.data()) == 1;
    if (is_ipv4) require(is_authority(text, Port::optional));
    if (is_authority(text, Port::required)) require(is_authority(text, Port::optional));
    if (!is_authority(text, Port::optional)) return;
    require(std::ranges::all_of(text, [](char c) {
        return c > ' ' && c < 0x7f && !std::string_view{"\"#/<>?@\\^`{|}"}.contains(c);
    }));
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string line{take_line(text)};
    if (const auto one = server::parse_endpoint(line, 1)) check_endpoint(*one);
    const auto all = server::parse_endpoints(line, 1);
    require(all.size() <= 2);
    for (const net::Address& address : all) check_endpoint(address);
    const std::string texts[] = {line};
    const bool is_local = !all.empty() && std::ranges::all_of(all, [](const net::Address& address) {
        return address.is_unix() || address.is_loopback();
    });
    require(server::are_local(texts) == is_local);
    check_authority(line);
}

}  // namespace weir::tests
