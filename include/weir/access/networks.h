#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::access {

/// Lets a network in, or keeps it out, at some paths.
struct NetworkRule {
    std::string glob{};  // as in PasswordRule
    std::string
        network{};  // "192.0.2.0/24", "2001:db8::/32", "192.0.2.7", "unix": all unix sockets
    bool allows = true;
};

/// A handler that answers 403 to clients who may not ask, and calls `inner`, which must outlive it, for
/// others. Of the rules for a path that contain the client, the one with the smallest network decides;
/// of two equal ones, that which denies. If none contains the client, it may ask, unless some rule for
/// the path allows others.
///
/// `site` and the error: as those of ask_passwords().
std::expected<std::unique_ptr<http::Handler>, std::string> limit_networks(
    http::Handler& inner, const site::Options& site, const std::vector<NetworkRule>& rules);

}  // namespace weir::access
