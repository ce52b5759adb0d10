#pragma once

#include <string>
#include <string_view>

namespace weir::tests {

/// The content behind `coding` ("gzip", "br", "zstd", or empty for none), read by the libraries'
/// decoders. Throws std::runtime_error if the bytes are not exactly one whole content.
std::string decompressed(std::string_view coding, std::string_view bytes);

/// The same for content that has not ended yet: what can be read of it by now.
std::string readable_part(std::string_view coding, std::string_view bytes);

}  // namespace weir::tests
