#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "weir/http/request.h"

namespace weir::http {

/// Parses an origin as browsers write it in the Origin field (RFC 6454 6.2): in lower case, without
/// the scheme's default port. "*" means all origins. The error is one sentence.
std::expected<std::string, std::string> origin_from(std::string_view text);

/// True if `origin`, the value of an Origin field, names the host and the port of the request's
/// authority. The scheme does not count: TLS may end in front of this server.
bool is_origin_of(const Request& request, std::string_view origin) noexcept;

/// True if a page of another origin makes a browser send the request (CSRF). The browser sends the
/// visitor's cookies and passwords with it, from the visitor's address.
bool is_of_another_origin(const Request& request) noexcept;

}  // namespace weir::http
