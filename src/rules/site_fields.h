#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::rules {

/// Which responses the answer to a preflight request (CORS) may replace.
enum class Preflights : std::uint8_t {
    always,
    unless_refused,  // not that of a rule of access, nor of maintenance
};

/// Two handlers around others that send responses of their own. The inner one marks responses that
/// have the fields of the site already, by a field that clients never see. The outer one removes
/// the mark, and adds the fields where it is missing. `inner` must outlive each of them. Responses
/// through http::Deferred are not changed.
std::unique_ptr<http::Handler> mark_complete(http::Handler& inner);
/// `options` are those of the site: `fields` and `cors_origins` count. The error is that of
/// Site::open().
std::expected<std::unique_ptr<http::Handler>, std::string> complete_unmarked(
    http::Handler& inner, const site::Options& options, Preflights preflights);

}  // namespace weir::rules
