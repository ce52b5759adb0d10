#include "cli/option/endpoint_fault.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <memory>

#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

using Interfaces = std::unique_ptr<ifaddrs, decltype([](ifaddrs* list) { ::freeifaddrs(list); })>;

std::string quoted(std::string_view text) { return "'" + std::string{text} + "'"; }

bool is_decimal(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

std::string host_of(const ifaddrs& interface) {
    const sockaddr* const address = interface.ifa_addr;
    const int family = address ? address->sa_family : AF_UNSPEC;
    if (family != AF_INET && family != AF_INET6) return {};
    const socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    std::array<char, NI_MAXHOST> host{};
    const int error =
        ::getnameinfo(address, size, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST);
    return error == 0 ? host.data() : "";
}

/// "192.0.2.1, 2001:db8::1"; empty if there is no such interface, or it has no address.
std::string addresses_of(const std::string& name) {
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0) return {};
    const Interfaces interfaces{list};
    std::string all;
    for (const ifaddrs* each = list; each; each = each->ifa_next) {
        const std::string host = name == each->ifa_name ? host_of(*each) : "";
        if (!host.empty()) all += (all.empty() ? "" : ", ") + host;
    }
    return all;
}

std::string unix_fault(std::string_view text) {
    constexpr std::size_t bytes_max = sizeof(sockaddr_un::sun_path) - 1;
    const auto path = text.substr(std::string_view{"unix:"}.size());
    if (path.empty()) return quoted(text) + " names no path, as unix:/run/weir.sock does";
    return "the path of a unix socket has at most " + std::to_string(bytes_max) + " bytes, and " +
           quoted(path) + " has " + std::to_string(path.size());
}

std::string url_fault(std::string_view text, std::size_t mark) {
    const auto rest = text.substr(mark + 3);
    const std::string address{rest.substr(0, rest.find('/'))};
    const std::string fault = quoted(text) + " is a URL, and an address has no scheme and no path";
    return server::parse_endpoints(address, 0).empty() ? fault : fault + ": " + address;
}

std::string slash_fault(std::string_view text, std::size_t slash) {
    const auto rest = text.substr(slash + 1);
    const auto before = text.substr(0, slash);
    const bool is_address = !server::parse_endpoints(before, 0).empty();
    if (is_address && is_decimal(rest))
        return quoted(text) + " is a network; an address is " + std::string{before};
    if (is_address) return quoted(text) + " has a path, and an address has none";
    return quoted(text) + " is a path; a unix socket is given as unix:" + std::string{text};
}

std::string port_fault(std::string_view text, std::string_view port) {
    if (port.empty()) return quoted(text) + " has no port after its colon";
    if (is_decimal(port)) return "the port of " + quoted(text) + " is above 65535";
    return "the port of " + quoted(text) + " is not a number: " + quoted(port);
}

std::string ipv6_fault(std::string_view host) {
    const auto percent = host.find('%');
    if (percent != host.npos &&
        ::if_nametoindex(std::string{host.substr(percent + 1)}.c_str()) == 0)
        return quoted(host) + " names an interface that this machine does not have: " +
               quoted(host.substr(percent + 1));
    return quoted(host) + " is not an IPv6 address such as ::1, or [::1]:8080 with a port";
}

std::string host_fault(std::string_view host) {
    if (host.contains(':')) return ipv6_fault(host);
    if (is_decimal(host)) return quoted(host) + " is neither an address nor a port";
    if (host.find_first_not_of("0123456789.") == host.npos)
        return quoted(host) + " is not an IPv4 address: it has four numbers up to 255";
    const std::string name{host};
    const auto addresses = addresses_of(name);
    if (!addresses.empty())
        return quoted(host) + " is an interface; give its address: " + addresses;
    if (::if_nametoindex(name.c_str()) != 0)
        return quoted(host) + " is an interface, and it has no address";
    return quoted(host) +
           " is not an address such as 127.0.0.1, :8080, [::1]:8080 or unix:/run/weir.sock; weir "
           "looks up no names";
}

}  // namespace

std::string endpoint_fault(std::string_view text) {
    if (text.empty()) return "the address is empty; one for every interface is 0.0.0.0";
    if (text.starts_with("unix:")) return unix_fault(text);
    if (text == "fd:") return quoted(text) + " names no passed socket, as fd:web and fd:3 do";
    if (text.starts_with("fd:") && text.find(':') == text.rfind(':'))
        return quoted(text) + " is a socket that only the server has; give its address";
    if (const auto mark = text.find("://"); mark != text.npos) return url_fault(text, mark);
    if (text.find_first_of(", ") != text.npos)
        return quoted(text) + " has a comma or a space; give each address by itself";
    if (const auto slash = text.find('/'); slash != text.npos) return slash_fault(text, slash);
    if (is_decimal(text)) return quoted(text) + " is no port: ports end at 65535";
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == text.npos) return quoted(text) + " has no ']' after its IPv6 address";
        if (end + 1 < text.size() && text[end + 1] != ':')
            return quoted(text) + " has no ':' between the address and its port";
        const auto host = text.substr(1, end - 1);
        if (!host.contains(':')) return quoted(host) + " is not an IPv6 address, and has brackets";
        if (server::parse_endpoints(host, 0).empty()) return ipv6_fault(host);
        return port_fault(text, text.substr(std::min(end + 2, text.size())));
    }
    const auto colon = text.rfind(':');
    if (colon == text.npos || text.find(':') != colon) return host_fault(text);
    const auto host = text.substr(0, colon);
    if (!host.empty() && host != "*" && server::parse_endpoints(host, 0).empty())
        return host_fault(host);
    if (is_decimal(host))
        return quoted(host) + " is a port, where the address should be: " + quoted(text);
    return port_fault(text, text.substr(colon + 1));
}

}  // namespace weir::cli
