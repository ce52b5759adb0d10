#include "server/proxied/proxy_header.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

namespace weir::server {
namespace {

using State = ProxyHeader::State;

ProxyHeader malformed() { return {.state = State::malformed}; }
ProxyHeader incomplete() { return {}; }

/// True if one text is the beginning of the other.
bool agree(std::string_view bytes, std::string_view signature) {
    const std::size_t size = std::min(bytes.size(), signature.size());
    return bytes.substr(0, size) == signature.substr(0, size);
}

std::string text_of(int family, const void* address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    // An IPv4-mapped address is written as IPv4, like the address of every other peer.
    const auto* const bytes = static_cast<const unsigned char*>(address);
    constexpr std::array<unsigned char, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (family == AF_INET6 && std::memcmp(bytes, mapped.data(), mapped.size()) == 0)
        return text_of(AF_INET, bytes + mapped.size());
    return ::inet_ntop(family, address, text.data(), text.size()) ? text.data() : "";
}

// ---- version 1 ----

constexpr std::string_view signature_1 = "PROXY ";
constexpr std::size_t line_bytes_max = 107;

/// Takes the text before the next space; nothing if there is none.
std::optional<std::string_view> take_word(std::string_view& line) {
    const auto space = line.find(' ');
    if (space == std::string_view::npos || space == 0) return std::nullopt;
    const auto word = line.substr(0, space);
    line.remove_prefix(space + 1);
    return word;
}

bool is_port(std::string_view text) {
    unsigned port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc{} && end == text.data() + text.size() && port <= 65'535 &&
           (text.size() == 1 || text.front() != '0');
}

/// The address in its usual form; nothing if the text is none of the family.
std::optional<std::string> address_of(int family, std::string_view text) {
    std::array<char, INET6_ADDRSTRLEN> terminated{};
    if (text.size() >= terminated.size() || text.contains('\0')) return std::nullopt;
    std::ranges::copy(text, terminated.begin());
    in6_addr address{};
    if (::inet_pton(family, terminated.data(), &address) != 1) return std::nullopt;
    return text_of(family, &address);
}

/// `line`: between the signature and CRLF.
std::optional<std::string> client_of(std::string_view line) {
    if (line == "UNKNOWN" || line.starts_with("UNKNOWN ")) return std::string{};
    const auto protocol = take_word(line);
    if (protocol != "TCP4" && protocol != "TCP6") return std::nullopt;
    const int family = protocol == "TCP4" ? AF_INET : AF_INET6;
    const auto source = take_word(line), destination = take_word(line), port = take_word(line);
    if (!source || !destination || !port || !is_port(*port) || !is_port(line) ||
        !address_of(family, *destination))
        return std::nullopt;
    return address_of(family, *source);
}

ProxyHeader read_line(std::string_view bytes) {
    const auto end = bytes.substr(0, line_bytes_max).find("\r\n");
    if (end == std::string_view::npos)
        return bytes.size() < line_bytes_max ? incomplete() : malformed();
    auto client = client_of(bytes.substr(signature_1.size(), end - signature_1.size()));
    if (!client) return malformed();
    return {.state = State::whole, .size = end + 2, .address = std::move(*client)};
}

// ---- version 2 ----

constexpr std::string_view signature_2{"\r\n\r\n\0\r\nQUIT\n", 12};
constexpr std::size_t fixed_bytes = 16;

enum class Command : std::uint8_t { local = 0x20, proxy = 0x21 };  // with the version
enum class Family : std::uint8_t { unspecified = 0, internet = 1, internet6 = 2, unix_socket = 3 };

std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
    return static_cast<std::uint8_t>(bytes[at]);
}

/// `addresses`: the bytes after the fixed part.
std::optional<std::string> client_of(std::uint8_t family_and_transport,
                                     std::string_view addresses) {
    constexpr std::uint8_t stream = 1;
    const auto transport = family_and_transport & 0xfU;
    const auto family = static_cast<Family>(family_and_transport >> 4U);
    if (family == Family::unspecified) return std::string{};
    if (transport != stream) return std::nullopt;
    switch (family) {
        case Family::internet:
            if (addresses.size() < 12) return std::nullopt;
            return text_of(AF_INET, addresses.data());
        case Family::internet6:
            if (addresses.size() < 36) return std::nullopt;
            return text_of(AF_INET6, addresses.data());
        case Family::unix_socket:
            if (addresses.size() < 216) return std::nullopt;
            return "unix:";
        case Family::unspecified: break;
    }
    return std::nullopt;
}

ProxyHeader read_binary(std::string_view bytes) {
    if (bytes.size() < fixed_bytes) return incomplete();
    const std::size_t size =
        fixed_bytes + (std::size_t{byte_at(bytes, 14)} << 8U) + byte_at(bytes, 15);
    const auto command = static_cast<Command>(byte_at(bytes, 12));
    const bool is_known = command == Command::local || command == Command::proxy;
    if (!is_known || size > proxy_header_bytes_max) return malformed();
    if (bytes.size() < size) return incomplete();
    ProxyHeader header{.state = State::whole, .size = size};
    if (command == Command::local) return header;
    auto client = client_of(byte_at(bytes, 13), bytes.substr(fixed_bytes, size - fixed_bytes));
    if (!client) return malformed();
    header.address = std::move(*client);
    return header;
}

}  // namespace

ProxyHeader read_proxy_header(std::string_view bytes) {
    if (agree(bytes, signature_2))
        return bytes.size() < signature_2.size() ? incomplete() : read_binary(bytes);
    if (agree(bytes, signature_1))
        return bytes.size() < signature_1.size() ? incomplete() : read_line(bytes);
    return malformed();
}

}  // namespace weir::server
