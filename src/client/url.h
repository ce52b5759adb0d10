#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weir::web::detail {

/// A URL of http or https (RFC 9110 4.2), without its fragment.
struct Url {
    bool is_secure = false;
    std::string authority;  // "host", "host:port"
    std::string target;     // the path and query, encoded: "/", "/a?b"

    std::string origin() const { return (is_secure ? "https://" : "http://") + authority; }
    std::string text() const { return origin() + target; }
};

/// Nothing if the text is no such URL, has userinfo, or a control character.
std::optional<Url> parse_url(std::string_view text);

/// The URL that a reference on a page of `base` leads to (RFC 3986 5.2). Nothing: as parse_url().
std::optional<Url> resolve(const Url& base, std::string_view reference);

/// True if both have the same scheme, host and port (RFC 6454 4).
bool are_of_one_origin(const Url& one, const Url& other);

}  // namespace weir::web::detail
