// Replaces zstandard_decoder.cpp in a build without zstd.

#include "compress/decoding/decoders.h"

namespace weir::compress {

const MakeDecoder make_zstandard_decoder = nullptr;

}  // namespace weir::compress
