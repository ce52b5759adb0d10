#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "cli/readers/forward_reader.h"
#include "weir/http/handler.h"
#include "weir/http/limits.h"
#include "weir/proxy/proxy.h"

namespace weir::cli {

/// Extends the limits of a server whose site has these options: the answer of another server may
/// take as long as --proxy-timeout, and its content, as events, may pause for hours.
void allow_for_servers(http::Timeouts& timeouts, const ForwardOptions& options);

/// A sentence about the servers of --proxy under the engine of this name; empty: there is none.
std::string concern_of(std::string_view engine);

/// A handler around `inner` for the requests of --proxy; null if there are none. The error is one
/// sentence.
std::expected<std::unique_ptr<proxy::ProxyHandler>, std::string> forward_around(
    http::Handler& inner, const ForwardOptions& options);

}  // namespace weir::cli
