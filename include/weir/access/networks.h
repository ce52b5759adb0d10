#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::access {

/// A rule that allows or denies a network at some paths.
struct NetworkRule {
    std::string glob{};  // as in PasswordRule
    std::string
        network{};  // "192.0.2.0/24", "2001:db8::/32", "192.0.2.7", "unix": all unix sockets
    bool allows = true;
};

/// A handler that responds with 403 to clients that are denied, and calls `inner`, which must
/// outlive it, for others. Of the rules for a path that contain the client, the one with the
/// smallest network decides; of two equal ones, the denial. If none contains the client, it is
/// allowed, unless some rule for the path allows others.
///
/// `site` and the error: as those of ask_passwords().
std::expected<std::unique_ptr<http::Handler>, std::string> limit_networks(
    http::Handler& inner, const site::Options& site, const std::vector<NetworkRule>& rules);

}  // namespace weir::access
