#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "weir/http/handler.h"

namespace weir::rules {

/// A handler for the requests of some hosts. Borrowed; it must outlive the handler that chooses it.
struct HostHandler {
    /// Each is "example.org", or "*.example.org" for all names below it, but not for itself; or an
    /// address such as "[::1]". Without a port: names count for all ports.
    std::vector<std::string> names;
    http::Handler* handler = nullptr;
};

/// A handler that calls the one for the host of the request (Host or :authority, RFC 9110 7.2). The
/// case of its letters, its port, and a full stop at its end do not count. A whole name comes
/// before a wildcard, and a longer wildcard before a shorter one. Other hosts get `otherwise`; if
/// it is null, they get 421 (RFC 9110 15.5.20).
///
/// The error is a sentence without its full stop: a name is invalid, or two handlers have it.
std::expected<std::unique_ptr<http::Handler>, std::string> choose_by_host(
    const std::vector<HostHandler>& handlers, http::Handler* otherwise = nullptr);

}  // namespace weir::rules
