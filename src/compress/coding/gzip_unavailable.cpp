// Replaces gzip.cpp in a build without its library.

#include "compress/coding/encoder.h"

namespace weir::compress {

const MakeEncoder make_gzip_encoder = nullptr;

}  // namespace weir::compress
