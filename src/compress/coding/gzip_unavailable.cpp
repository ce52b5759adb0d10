// Replaces gzip.cpp and zlib_expander.cpp in a build without zlib.

#include "compress/coding/encoder.h"
#include "compress/coding/expander.h"

namespace weir::compress {

const MakeEncoder make_gzip_encoder = nullptr;
const MakeEncoder make_deflate_encoder = nullptr;
const MakeExpander make_expander = nullptr;

std::string zlib_name() { return {}; }

}  // namespace weir::compress
