#pragma once

#include <optional>
#include <string>

#include "weir/http/response.h"

namespace weir::markdown {

/// The content of an answer that is in memory or a file. Nothing, if it is longer than
/// Renderer::bytes_max, comes from a source, or has changed since the answer was made.
std::optional<std::string> source_text(const http::Response& response);

}  // namespace weir::markdown
