#include "cli/announce/bind_advice.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

using Interfaces = std::unique_ptr<ifaddrs, decltype([](ifaddrs* list) { ::freeifaddrs(list); })>;

/// True unless IPv6 is switched off. Then not even the loopback interface has an IPv6 address, but
/// bind(2) to :: still succeeds.
bool has_ipv6() {
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0) return true;
    const Interfaces interfaces{list};
    for (const ifaddrs* each = list; each; each = each->ifa_next)
        if (each->ifa_addr && each->ifa_addr->sa_family == AF_INET6) return true;
    return false;
}

bool is_ipv6(const net::Address& address) { return address.family() == AF_INET6; }

std::string advice_for_unix(const server::Failure& failure, const net::Address& address) {
    std::error_code error;
    const auto folder = std::filesystem::path{address.path()}.parent_path();
    if (failure.code == std::errc::no_such_file_or_directory)
        return "; there is no folder " + folder.string();
    if (failure.code == std::errc::permission_denied)
        return "; this user may not make files in " + (folder.empty() ? "." : folder.string());
    if (failure.code == std::errc::address_in_use)
        return std::filesystem::is_socket(address.path(), error) ? "; another server listens there"
                                                                 : "; that file is no socket";
    return {};
}

std::string advice_for_missing(const net::Address& address) {
    if (is_ipv6(address) && !has_ipv6()) return "; IPv6 is switched off: use 127.0.0.1 or 0.0.0.0";
    // "::1:8080" is an address without a port, although the user may have meant port 8080.
    if (is_ipv6(address) && !address.is_any())
        return "; this machine has no such address (with a port: [::1]:8080)";
    return "; this machine has no such address";
}

}  // namespace

std::string bind_advice(const server::Failure& failure) {
    const auto address = server::parse_endpoint(failure.address, 0);
    if (!address) return {};
    if (address->is_unix()) return advice_for_unix(failure, *address);
    if (failure.code == std::errc::permission_denied)
        return "; ports below 1024 need a privilege (CAP_NET_BIND_SERVICE): try --port 8000";
    if (failure.code == std::errc::address_not_available ||
        failure.code == std::errc::address_family_not_supported)
        return advice_for_missing(*address);
    if (failure.code == std::errc::invalid_argument && is_ipv6(*address))
        return "; an address that begins with fe80 needs its interface: fe80::1%eth0";
    return {};
}

std::string unreachable(std::span<const std::string> addresses) {
    const bool are_all_ipv6 = std::ranges::all_of(addresses, [](const std::string& text) {
        const auto address = server::parse_endpoint(text, 0);
        return address && is_ipv6(*address);
    });
    if (addresses.empty() || !are_all_ipv6 || has_ipv6()) return {};
    return "nobody could connect to " + addresses.front() +
           ", as IPv6 is switched off; use --bind 127.0.0.1, or --bind 0.0.0.0 to let others in";
}

}  // namespace weir::cli
