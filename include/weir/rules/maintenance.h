#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "weir/http/handler.h"

namespace weir::rules {

/// A handler that responds with 503 and Retry-After while a file exists, with the file as its page,
/// and otherwise calls `inner`, which must outlive it. When a request comes, it checks for the
/// file, once a second at most. Clients of the networks `except` see the site meanwhile; they are
/// written as in access::NetworkRule. The error is a sentence without its full stop.
std::expected<std::unique_ptr<http::Handler>, std::string> close_for_maintenance(
    http::Handler& inner, std::string file, const std::vector<std::string>& except);

}  // namespace weir::rules
