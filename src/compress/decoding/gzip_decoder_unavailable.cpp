// Replaces gzip_decoder.cpp in a build without zlib.

#include "compress/decoding/decoders.h"

namespace weir::compress {

const MakeDecoder make_gzip_decoder = nullptr;

}  // namespace weir::compress
