#pragma once

#include <optional>
#include <string>

#include "weir/http/response.h"

namespace weir::markdown {

/// The content of a response that is in memory or a file. Null if it is longer than
/// Renderer::bytes_max, comes from a source, or has changed since the response was made.
std::optional<std::string> source_text(const http::Response& response);

}  // namespace weir::markdown
