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
std::expected<Place, std::string> place_of(std::string_view authority, std::uint16_t default_port) {
    Place place{.host = {}, .port = default_port};
    std::size_t end = authority.find(':');
    if (authority.starts_with('[')) {
        const std::size_t bracket = authority.find(']');
        if (bracket == authority.npos) return Error{"a bracket has no end"};
        place.host = authority.substr(1, bracket - 1);
        end = bracket + 1 < authority.size() ? bracket + 1 : authority.npos;
    } else {
        place.host = authority.substr(0, end);
    }
    if (place.host.empty()) return Error{"it has no host"};
    if (end == authority.npos) return place;
    if (authority[end] != ':') return Error{"only a port may follow a bracket"};
    const auto port = port_of(authority.substr(end + 1));
    if (!port) return Error{"the port is not between 1 and 65535"};
    place.port = *port;
    return place;
}

/// A part that the URL of a server can't have; empty: none.
std::string_view part_too_many(std::string_view authority, std::string_view whole) {
    if (authority.contains('@')) return "it has a user";
    if (whole.contains('?')) return "it has a query";
    if (whole.contains('#')) return "it has a fragment";
    return whole.contains(' ') ? "it has a space" : "";
}

}  // namespace

std::expected<Target, std::string> parse_target(std::string_view text) {
    Target target;
    const std::string written{text};
    target.url = written;
    if (text == "unix:")
        return Error{"the path of the unix socket is missing, as in unix:/run/app.sock"};
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
    const std::string_view part = part_too_many(target.authority, text);
    if (!place || !part.empty())
        return Error{"not a URL of a server, as " +
                     (part.empty() ? place.error() : std::string{part}) + ": " + written};
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
