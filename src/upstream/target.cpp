#include "upstream/target.h"

#include <charconv>
#include <cstddef>
#include <optional>

namespace weir::upstream {
namespace {

using Error = std::unexpected<std::string>;

struct Place {
    std::string host;
    std::uint16_t port;
};

std::optional<std::uint16_t> port_of(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), port);
    if (error != std::errc{} || end != text.end() || port == 0) return std::nullopt;
    return port;
}

/// "host", "host:port", "[::1]" or "[::1]:port".
std::optional<Place> place_of(std::string_view authority, std::uint16_t default_port) {
    Place place{.host = {}, .port = default_port};
    std::size_t end = authority.find(':');
    if (authority.starts_with('[')) {
        const std::size_t bracket = authority.find(']');
        if (bracket == authority.npos) return std::nullopt;
        place.host = authority.substr(1, bracket - 1);
        end = bracket + 1 < authority.size() ? bracket + 1 : authority.npos;
    } else {
        place.host = authority.substr(0, end);
    }
    if (place.host.empty()) return std::nullopt;
    if (end == authority.npos) return place;
    const auto port = port_of(authority.substr(end + 1));
    if (authority[end] != ':' || !port) return std::nullopt;
    place.port = *port;
    return place;
}

}  // namespace

std::expected<Target, std::string> parse_target(std::string_view text) {
    Target target;
    const std::string written{text};
    target.url = written;
    if (text.starts_with("unix:")) {
        const auto address = net::Address::parse(text, 0);
        if (!address) return Error{"the path of a unix socket has at most 107 bytes: " + written};
        target.authority = "localhost";
        target.addresses.push_back(*address);
        return target;
    }
    const bool is_secure = text.starts_with("https://");
    if (!is_secure && !text.starts_with("http://"))
        return Error{"write http://host:port, https://host:port or unix:/path, not " + written};
    text.remove_prefix(text.find("//") + 2);
    const std::size_t slash = text.find('/');
    target.authority = text.substr(0, slash);
    if (slash != text.npos) target.path = text.substr(slash);
    target.url.resize(target.url.size() - target.path.size());
    const auto place = place_of(target.authority, is_secure ? 443 : 80);
    const bool has_more = text.find_first_of("?#@ ") != text.npos;
    if (!place || has_more) return Error{"not a URL of a server: " + written};
    target.port = place->port;
    if (is_secure) target.host = place->host;
    const auto numeric = net::Address::parse(place->host, place->port);
    if (numeric)
        target.addresses.push_back(*numeric);
    else
        target.name = place->host;
    // RFC 6761 6.3: these two, whatever the system's files say.
    if (place->host == "localhost")
        target.addresses.push_back(*net::Address::parse("::1", place->port));
    return target;
}

}  // namespace weir::upstream
