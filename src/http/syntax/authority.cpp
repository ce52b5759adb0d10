#include "http/syntax/authority.h"

#include <array>
#include <cstddef>

#include "base/hexadecimal.h"

namespace weir::http {
namespace {

constexpr bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

constexpr bool is_hex(char byte) noexcept { return hex_value(byte) >= 0; }

constexpr bool is_letter(char byte) noexcept {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/// RFC 3986 3.2.3. By that grammar, a port may be empty.
bool is_port(std::string_view text) noexcept {
    unsigned value = 0;
    for (const char byte : text) {
        if (!is_digit(byte)) return false;
        value = value * 10 + static_cast<unsigned>(byte - '0');
        if (value > 65535) return false;
    }
    return true;
}

// unreserved / sub-delims
constexpr auto plain = [] {
    std::array<bool, 256> table{};
    for (unsigned byte = 0; byte < 128; ++byte) {
        const char text = static_cast<char>(byte);
        table[byte] =
            is_letter(text) || is_digit(text) || std::string_view{"-._~!$&'()*+,;="}.contains(text);
    }
    return table;
}();

bool begins_with_escape(std::string_view text) noexcept {
    return text.size() >= 3 && text[0] == '%' && is_hex(text[1]) && is_hex(text[2]);
}

/// Returns the size of the reg-name at the start of `text`: *( unreserved / pct-encoded /
/// sub-delims ). An IPv4 address is a reg-name, too (RFC 3986 3.2.2).
std::size_t reg_name_size(std::string_view text) noexcept {
    const char* at = text.data();
    const char* const end = at + text.size();
    for (;; at += 3) {
        while (at != end && plain[static_cast<unsigned char>(*at)]) ++at;
        if (!begins_with_escape({at, end})) return static_cast<std::size_t>(at - text.data());
    }
}

/// True for four decimal numbers of at most 255, without leading zeros.
bool is_ipv4(std::string_view text) noexcept {
    for (int part = 0; part < 4; ++part) {
        const std::size_t end = part < 3 ? text.find('.') : text.size();
        if (end == std::string_view::npos || end == 0 || end > 3) return false;
        if (end > 1 && text[0] == '0') return false;
        unsigned value = 0;
        for (const char byte : text.substr(0, end)) {
            if (!is_digit(byte)) return false;
            value = value * 10 + static_cast<unsigned>(byte - '0');
        }
        if (value > 255) return false;
        text.remove_prefix(part < 3 ? end + 1 : end);
    }
    return text.empty();
}

/// True for eight groups, or fewer with one "::". The last two may be written as an IPv4 address.
bool is_ipv6(std::string_view text) noexcept {
    int groups = 0;
    bool gap = text.starts_with("::");
    if (gap) text.remove_prefix(2);
    while (!text.empty()) {
        std::size_t size = 0;
        while (size < text.size() && is_hex(text[size])) ++size;
        if (size < text.size() && text[size] == '.') {
            groups += 2;
            if (!is_ipv4(text)) return false;
            break;
        }
        if (size == 0 || size > 4) return false;
        ++groups;
        text.remove_prefix(size);
        if (text.empty()) break;
        if (text.starts_with("::")) {
            if (gap) return false;
            gap = true;
            text.remove_prefix(2);
        } else if (text[0] == ':' && text.size() > 1) {
            text.remove_prefix(1);
        } else {
            return false;
        }
    }
    return gap ? groups < 8 : groups == 8;
}

}  // namespace

bool is_authority(std::string_view text, Port port) noexcept {
    std::size_t host_size = 0;
    if (text.starts_with('[')) {
        const std::size_t bracket = text.find(']');
        if (bracket == std::string_view::npos || !is_ipv6(text.substr(1, bracket - 1)))
            return false;
        host_size = bracket + 1;
    } else {
        host_size = reg_name_size(text);
        if (host_size == 0) return false;
    }
    text.remove_prefix(host_size);
    if (text.empty()) return port == Port::optional;
    if (text[0] != ':' || (port == Port::required && text.size() == 1)) return false;
    return is_port(text.substr(1));
}

}  // namespace weir::http
