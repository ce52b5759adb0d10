// Replaces whole_gzip.cpp in a build without libdeflate.

#include "compress/coding/encoder.h"

namespace weir::compress {

const MakeEncoder make_whole_gzip_encoder = nullptr;

std::string libdeflate_name() { return {}; }

}  // namespace weir::compress
