#pragma once

#include <memory>

#include "weir/web/content_decoding.h"

namespace weir::compress {

/// Throws std::bad_alloc.
using MakeDecoder = std::unique_ptr<web::ContentDecoder> (*)();

// Null in a build without the library.
extern const MakeDecoder make_gzip_decoder;
extern const MakeDecoder make_zstandard_decoder;

}  // namespace weir::compress
