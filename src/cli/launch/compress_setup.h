#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/readers/compress_reader.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// Makes a handler around `inner` that compresses; null if the option is off. The error is a
/// sentence: why this build can't. `inner` must outlive the handler.
std::expected<std::unique_ptr<http::Handler>, std::string> compressor_around(
    http::Handler& inner, const CompressOptions& options);

}  // namespace weir::cli
