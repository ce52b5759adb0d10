#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::access {

/// Paths that need a signed link.
struct SignedRule {
    std::string glob{};      // as in PasswordRule
    std::string key_file{};  // a secret of 32 bytes or more; read once
};

/// A handler that responds with 403 if a rule requires a signature, unless the query of the request
/// has one for its path that has not expired (sign_link()). For other requests, it calls `inner`,
/// which must outlive it. If there are several rules for a path, one is chosen as by
/// ask_passwords().
///
/// `site` and the error: as those of ask_passwords().
std::expected<std::unique_ptr<http::Handler>, std::string> ask_signatures(
    http::Handler& inner, const site::Options& site, const std::vector<SignedRule>& rules);

/// Why no signature can be added to `url`: a sentence; empty if one can.
std::string refusal_to_sign(std::string_view url);

/// Adds a signature to the query of `url`, which is a URL or a path. The signature opens this path
/// only, until `expires` (seconds since 1970). The error is a sentence.
std::expected<std::string, std::string> sign_link(std::string_view url, std::int64_t expires,
                                                  const std::string& key_file);

}  // namespace weir::access
