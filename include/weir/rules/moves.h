#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "weir/http/handler.h"

namespace weir::rules {

/// A handler that redirects some requests, and calls `inner`, which must outlive it, for others.
///
/// A rule is "PATTERN: [STATUS] TARGET"; the first that matches counts. The pattern is that of a
/// route of web::Router: `{name}` stands for one segment, `{name...}` at its end for the rest,
/// which may be empty. Elsewhere, a slash at the end is just a slash. The status is 301, 302 (the
/// default), 303, 307 or 308. The target is a path or a URL, with the names of the pattern in it:
/// "/old/{page}: 301 /new/{page}". The text that a name matches is escaped, so that it adds no
/// host, query, line or dot segment. The query of the request stays. A rule that leads to the
/// request's own address does not match.
///
/// The error is a sentence without its full stop. Rules that would redirect without an end are an
/// error.
std::expected<std::unique_ptr<http::Handler>, std::string> redirect(
    http::Handler& inner, const std::vector<std::string>& rules);

/// A handler that gives `inner` another path and query, once for each request. A rule is "PATTERN:
/// TARGET"; the target is a path. Otherwise as redirect().
std::expected<std::unique_ptr<http::Handler>, std::string> rewrite(
    http::Handler& inner, const std::vector<std::string>& rules);

}  // namespace weir::rules
