// Replaces zstandard.cpp in a build without its library.

#include "compress/coding/encoder.h"

namespace weir::compress {

const MakeEncoder make_zstandard_encoder = nullptr;

std::string zstandard_name() { return {}; }

}  // namespace weir::compress
