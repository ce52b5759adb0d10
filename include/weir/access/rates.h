#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::access {

/// The rate of requests that one client may send for some paths: evenly, one in each `interval`,
/// and `burst` at once after a pause (the generic cell rate algorithm).
struct RateRule {
    std::string glob{};  // as in PasswordRule
    std::chrono::microseconds interval{100'000};
    std::uint32_t burst = 20;
};

/// A handler that responds with 429 and Retry-After to clients that ask too often, and calls
/// `inner`, which must outlive it, for others. Each rule counts by itself, and all rules for a path
/// apply. An IPv6 network of 64 bits is one client; clients of a unix socket have no limit.
/// Processes that an engine forks count together.
///
/// `site` and the error: as those of ask_passwords().
std::expected<std::unique_ptr<http::Handler>, std::string> limit_rates(
    http::Handler& inner, const site::Options& site, const std::vector<RateRule>& rules);

}  // namespace weir::access
