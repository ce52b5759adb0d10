#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weir/http/request.h"

namespace weir::site {

/// The beginning of links that cannot be relative: see prefix_of(). Null: links are relative.
using Prefix = std::optional<std::string>;

/// Null if the client counts the segments of the request's path as weir does: then a relative link
/// holds below any prefix, that of a mount and that of a proxy, which weir does not know. Otherwise
/// ("//docs/", "/a/%2e%2e/docs/") the path at which the site is mounted, decoded. `path` is the
/// path of the request as target_path() returns it.
Prefix prefix_of(const http::Request& request, std::string_view path);

/// The path at which the site is mounted, decoded; empty if there is none.
std::string decoded_prefix(const http::Request& request);

/// Appends the reference (RFC 3986 4.1) to the path `to`, for a client that is at the path `from`.
/// A relative reference starts with "./" or "../", so that it is neither a scheme nor a host.
void append_reference(std::string& out, const Prefix& prefix, std::string_view from,
                      std::string_view to);

}  // namespace weir::site
