#include "net/address.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <charconv>
#include <cstddef>
#include <cstring>

namespace weir::net {
namespace {

constexpr std::string_view unix_prefix = "unix:";

// A sockaddr_storage contains the form that its family names; memcpy avoids undefined behaviour.
template <typename Form>
Form read_as(const sockaddr_storage& storage) noexcept {
    Form form;
    std::memcpy(&form, &storage, sizeof form);
    return form;
}

template <typename Form>
socklen_t write_as(sockaddr_storage& storage, const Form& form) noexcept {
    std::memcpy(&storage, &form, sizeof form);
    return sizeof form;
}

std::optional<sockaddr_un> parse_unix(std::string_view path) {
    sockaddr_un form{};
    form.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof form.sun_path || path.contains('\0')) return {};
    path.copy(form.sun_path, path.size());
    return form;
}

std::optional<sockaddr_in> parse_ipv4(const std::string& host, std::uint16_t port) {
    sockaddr_in form{};
    form.sin_family = AF_INET;
    form.sin_port = htons(port);
    if (::inet_pton(AF_INET, host.c_str(), &form.sin_addr) != 1) return {};
    return form;
}

// The zone of a link-local address (RFC 4007 11) is the name of an interface.
std::optional<sockaddr_in6> parse_ipv6(std::string host, std::uint16_t port) {
    sockaddr_in6 form{};
    form.sin6_family = AF_INET6;
    form.sin6_port = htons(port);
    if (const auto percent = host.find('%'); percent != std::string::npos) {
        form.sin6_scope_id = ::if_nametoindex(host.c_str() + percent + 1);
        if (form.sin6_scope_id == 0) return {};
        host.resize(percent);
    }
    if (::inet_pton(AF_INET6, host.c_str(), &form.sin6_addr) != 1) return {};
    return form;
}

std::string_view without_brackets(std::string_view host) {
    const bool bracketed = host.starts_with('[') && host.ends_with(']');
    return bracketed ? host.substr(1, host.size() - 2) : host;
}

// Each line of an access log contains an address; inet_ntop(3) would format it with sprintf(3).
void append_ipv4(std::string& out, const void* address) {
    std::array<std::uint8_t, 4> numbers;
    std::memcpy(numbers.data(), address, numbers.size());
    std::array<char, INET_ADDRSTRLEN> text;
    char* at = text.data();
    for (const unsigned number : numbers) {
        if (at != text.data()) *at++ = '.';
        at = std::to_chars(at, text.data() + text.size(), number).ptr;
    }
    out.append(text.data(), at);
}

void append_numeric(std::string& out, int family, const void* address) {
    if (family == AF_INET) return append_ipv4(out, address);
    std::array<char, INET6_ADDRSTRLEN> text;
    if (::inet_ntop(family, address, text.data(), text.size())) out += text.data();
}

}  // namespace

std::optional<Address> Address::parse(std::string_view host, std::uint16_t port) {
    Address address;
    if (host.starts_with(unix_prefix)) {
        const auto form = parse_unix(host.substr(unix_prefix.size()));
        if (!form) return {};
        address.size_ = write_as(address.storage_, *form);
        return address;
    }
    const std::string text{host == "localhost" ? "127.0.0.1" : without_brackets(host)};
    if (text.contains('\0')) return {};
    if (const auto ipv4 = parse_ipv4(text, port); ipv4 && !host.starts_with('[')) {
        address.size_ = write_as(address.storage_, *ipv4);
        return address;
    }
    const auto ipv6 = parse_ipv6(text, port);
    if (!ipv6) return {};
    address.size_ = write_as(address.storage_, *ipv6);
    return address;
}

std::optional<Address> Address::of_socket(int fd) {
    Address address;
    address.size_ = sizeof address.storage_;
    auto* const out = reinterpret_cast<sockaddr*>(&address.storage_);
    if (::getsockname(fd, out, &address.size_) != 0) return {};
    return address;
}

std::string_view Address::path() const noexcept { return c_path(); }

// The kernel may fill sun_path to its end (unix(7)), and storage_ has zero bytes behind it.
const char* Address::c_path() const noexcept {
    static_assert(sizeof(sockaddr_un) < sizeof(sockaddr_storage));
    if (!is_unix()) return "";
    return reinterpret_cast<const char*>(&storage_) + offsetof(sockaddr_un, sun_path);
}

std::uint16_t Address::port() const noexcept {
    switch (family()) {
        case AF_INET: return ntohs(read_as<sockaddr_in>(storage_).sin_port);
        case AF_INET6: return ntohs(read_as<sockaddr_in6>(storage_).sin6_port);
        default: return 0;
    }
}

void Address::port(std::uint16_t port) noexcept {
    if (family() == AF_INET) {
        auto form = read_as<sockaddr_in>(storage_);
        form.sin_port = htons(port);
        write_as(storage_, form);
    } else if (family() == AF_INET6) {
        auto form = read_as<sockaddr_in6>(storage_);
        form.sin6_port = htons(port);
        write_as(storage_, form);
    }
}

bool Address::is_loopback() const noexcept {
    switch (family()) {
        case AF_INET: return ntohl(read_as<sockaddr_in>(storage_).sin_addr.s_addr) >> 24 == 127;
        case AF_INET6: {
            const auto form = read_as<sockaddr_in6>(storage_);
            return IN6_IS_ADDR_LOOPBACK(&form.sin6_addr);
        }
        default: return true;
    }
}

bool Address::is_any() const noexcept {
    switch (family()) {
        case AF_INET: return read_as<sockaddr_in>(storage_).sin_addr.s_addr == INADDR_ANY;
        case AF_INET6: {
            const auto form = read_as<sockaddr_in6>(storage_);
            return IN6_IS_ADDR_UNSPECIFIED(&form.sin6_addr);
        }
        default: return false;
    }
}

std::string Address::host() const {
    if (is_unix()) return std::string{unix_prefix}.append(path());
    std::string out;
    if (family() == AF_INET) {
        const auto form = read_as<sockaddr_in>(storage_);
        append_numeric(out, AF_INET, &form.sin_addr);
    } else {
        const auto form = read_as<sockaddr_in6>(storage_);
        append_numeric(out, AF_INET6, &form.sin6_addr);
        std::array<char, IF_NAMESIZE> zone;
        if (form.sin6_scope_id != 0 && ::if_indextoname(form.sin6_scope_id, zone.data()))
            out.append("%").append(zone.data());
    }
    return out;
}

std::string Address::text() const {
    if (is_unix()) return host();
    const std::string host_text = family() == AF_INET6 ? "[" + host() + "]" : host();
    return host_text + ":" + std::to_string(port());
}

PeerAddress::PeerAddress(const sockaddr_storage& address) noexcept
    : family_{static_cast<std::uint8_t>(address.ss_family)} {
    if (family_ == AF_INET) {
        const auto form = read_as<sockaddr_in>(address);
        std::memcpy(bytes_.data(), &form.sin_addr, sizeof form.sin_addr);
        port_ = ntohs(form.sin_port);
    } else if (family_ == AF_INET6) {
        const auto form = read_as<sockaddr_in6>(address);
        const bool mapped = IN6_IS_ADDR_V4MAPPED(&form.sin6_addr);
        const auto* const source = reinterpret_cast<const std::uint8_t*>(&form.sin6_addr);
        if (mapped) family_ = AF_INET;
        std::memcpy(bytes_.data(), mapped ? source + 12 : source, mapped ? 4 : 16);
        port_ = ntohs(form.sin6_port);
    }
}

PeerAddress::Network PeerAddress::network() const noexcept {
    Network network{.family = family_};
    std::memcpy(&network.bits, bytes_.data(), sizeof network.bits);
    return network;
}

void PeerAddress::append_to(std::string& out) const {
    if (family_ == AF_INET || family_ == AF_INET6)
        append_numeric(out, family_, bytes_.data());
    else
        out += unix_prefix;
}

}  // namespace weir::net
