#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weir/http/request.h"

namespace weir::site {

/// The path from which a client resolves references (RFC 3986 5.1.3), if it is another one than the
/// site looks up.
struct BasePath {
    std::string from{};    // decoded; empty: references must be absolute
    std::string prefix{};  // before the paths of the site: the site is mounted there; decoded
};
/// Null: the client is at the path that the site looks up.
using Base = std::optional<BasePath>;

/// Null if the request was not rewritten, and the client counts the segments of its path as weir
/// does: then a relative reference holds below any prefix, that of a mount and that of a proxy,
/// which weir does not know. It cannot be relative for a client at "//docs/" or "/a/%2e%2e/docs/".
/// `path` is the path of the request as target_path() returns it.
Base base_of(const http::Request& request, std::string_view path);

/// The path at which the site is mounted, decoded; empty if there is none.
std::string decoded_prefix(const http::Request& request);

/// Appends the reference (RFC 3986 4.1) to the path `to` of the site. Without a base, the client is
/// at the path `from`. A relative reference starts with "./" or "../", so that it is neither a
/// scheme nor a host.
void append_reference(std::string& out, const Base& base, std::string_view from,
                      std::string_view to);

}  // namespace weir::site
