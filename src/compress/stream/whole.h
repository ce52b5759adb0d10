#pragma once

#include <optional>
#include <string>

#include "compress/coding/encoder.h"
#include "weir/http/response.h"

namespace weir::compress {

/// A content that is no source, compressed at once. Nothing if its file could not be read, or the
/// encoder had no memory.
std::optional<std::string> compressed(const http::Response::Content& content, Encoder& encoder);

}  // namespace weir::compress
