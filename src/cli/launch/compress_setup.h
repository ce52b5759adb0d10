#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/readers/compress_reader.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// A handler around `inner` that compresses; null if that is off. Or a sentence that says why this
/// build can't. `inner` must outlive what is returned.
std::expected<std::unique_ptr<http::Handler>, std::string> compressor_around(
    http::Handler& inner, const CompressOptions& options);

}  // namespace weir::cli
