#include "upstream/look_up.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace weir::upstream {
namespace {

using Error = std::unexpected<std::string>;

std::string missing(const std::string& name) { return "the name " + name + " has no address"; }

}  // namespace

std::expected<std::vector<std::string>, std::string> ask_system(const std::string& name) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(name.c_str(), nullptr, &hints, &found))
        return Error{missing(name) + ": " + ::gai_strerror(error)};
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned{found, ::freeaddrinfo};
    std::vector<std::string> addresses;
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        std::array<char, NI_MAXHOST> host{};
        if (addresses.size() < addresses_max &&
            ::getnameinfo(each->ai_addr, each->ai_addrlen, host.data(), host.size(), nullptr, 0,
                          NI_NUMERICHOST) == 0)
            addresses.emplace_back(host.data());
    }
    return addresses;
}

std::expected<std::vector<net::Address>, std::string> look_up(const std::string& name,
                                                              std::uint16_t port,
                                                              const LookUp& by) {
    const auto found = by(name);
    if (!found) return Error{found.error()};
    std::vector<net::Address> addresses;
    for (const std::string& each : *found)
        if (const auto address = net::Address::parse(each, port);
            address && addresses.size() < addresses_max)
            addresses.push_back(*address);
    if (addresses.empty()) return Error{missing(name)};
    return in_turn(addresses);
}

std::expected<void, std::string> look_up(Target& target, const LookUp& by) {
    if (target.name.empty()) return {};
    const auto found = look_up(target.name, target.port, by);
    if (!found) return Error{found.error()};
    target.addresses.insert(target.addresses.end(), found->begin(), found->end());
    target.addresses = in_turn(target.addresses);
    return {};
}

std::vector<net::Address> in_turn(std::span<const net::Address> addresses) {
    std::vector<net::Address> turns, other;
    for (const net::Address& each : addresses)
        (each.family() == addresses.front().family() ? turns : other).push_back(each);
    for (std::size_t i = 0; i < other.size(); ++i) {
        const auto place = static_cast<std::ptrdiff_t>(std::min(2 * i + 1, turns.size()));
        turns.insert(turns.begin() + place, other[i]);
    }
    return turns;
}

}  // namespace weir::upstream
