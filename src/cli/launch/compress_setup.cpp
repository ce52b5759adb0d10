#include "cli/launch/compress_setup.h"

#include <utility>

namespace weir::cli {

std::expected<std::unique_ptr<http::Handler>, std::string> compressor_around(
    http::Handler& inner, const CompressOptions& options) {
    if (!options.on) return nullptr;
    auto compressor = compress::around(inner, options.settings);
    if (!compressor) return std::unexpected{"--compress: " + compressor.error()};
    return std::move(*compressor);
}

}  // namespace weir::cli
