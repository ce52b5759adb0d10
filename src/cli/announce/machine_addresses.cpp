#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/announce/urls.h"
#include "net/unique_fd.h"

namespace weir::cli {
namespace {

using Interfaces = std::unique_ptr<ifaddrs, decltype([](ifaddrs* list) { ::freeifaddrs(list); })>;

socklen_t size_of(const sockaddr& address) {
    return address.sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
}

bool is_for_others(const ifaddrs& interface) {
    if (!interface.ifa_addr || (interface.ifa_flags & IFF_LOOPBACK) != 0) return false;
    return (interface.ifa_flags & IFF_UP) != 0 &&
           (interface.ifa_addr->sa_family == AF_INET || interface.ifa_addr->sa_family == AF_INET6);
}

std::string host_of(const sockaddr& address) {
    std::array<char, NI_MAXHOST> host{};
    const int error = ::getnameinfo(&address, size_of(address), host.data(), host.size(), nullptr,
                                    0, NI_NUMERICHOST);
    return error == 0 ? host.data() : "";
}

/// The address from which this machine reaches the internet; empty if there is no default route.
/// connect(2) on a datagram socket sends nothing.
std::string address_of_default_route() {
    const net::UniqueFd socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    sockaddr_in elsewhere{};
    elsewhere.sin_family = AF_INET;
    elsewhere.sin_port = ::htons(9);
    elsewhere.sin_addr.s_addr = ::htonl(0xc000'0201);  // 192.0.2.1, for documentation (RFC 5737)
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    auto* const address = reinterpret_cast<sockaddr*>(&own);
    if (!socket ||
        ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&elsewhere), sizeof elsewhere) ||
        ::getsockname(socket.get(), address, &size))
        return {};
    return host_of(*address);
}

}  // namespace

std::vector<std::string> machine_addresses() {
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0) return {};
    const Interfaces interfaces{list};
    std::vector<std::string> addresses;
    for (const ifaddrs* interface = list; interface; interface = interface->ifa_next) {
        if (!is_for_others(*interface)) continue;
        // A link-local address contains its interface ("fe80::1%eth0"), which browsers do not
        // accept.
        std::string host = host_of(*interface->ifa_addr);
        if (!host.empty() && !host.contains('%')) addresses.push_back(std::move(host));
    }
    const auto first = std::ranges::find(addresses, address_of_default_route());
    if (first != addresses.end()) std::rotate(addresses.begin(), first, first + 1);
    return addresses;
}

}  // namespace weir::cli
