#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compress/coding/encoder.h"

namespace weir::compress {

/// A content in memory, compressed at once. Nothing if the encoder had no memory.
std::optional<std::string> compressed(std::string_view content, Encoder& encoder);

}  // namespace weir::compress
