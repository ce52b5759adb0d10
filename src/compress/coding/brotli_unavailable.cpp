// Replaces brotli.cpp in a build without its library.

#include "compress/coding/encoder.h"

namespace weir::compress {

const MakeEncoder make_brotli_encoder = nullptr;

std::string brotli_name() { return {}; }

}  // namespace weir::compress
