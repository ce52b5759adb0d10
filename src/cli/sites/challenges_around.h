#pragma once

#include <expected>
#include <memory>
#include <string>

#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::cli {

/// A handler around all others for a server that redirects plain HTTP to HTTPS. On connections
/// without TLS, it sends the files by which a CA checks who controls the host (RFC 8555 8.3), and
/// nothing else of the site: the CA has no password, and knows no prefix. Null for a site of one
/// file. `inner` must outlive it. The error is that of Site::open().
std::expected<std::unique_ptr<http::Handler>, std::string> challenges_around(
    http::Handler& inner, const site::Options& options);

}  // namespace weir::cli
