#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weir/base/requires_cxx23.h"

namespace weir::web {

/// Decodes one content, piece by piece.
class ContentDecoder {
   public:
    enum class Result : std::uint8_t {
        wants_input,  // all of `in` is taken
        has_more,     // `out` is full
        ended,        // the content is complete; the rest of `in` does not belong to it
        malformed,
    };

    virtual ~ContentDecoder() = default;
    /// Takes bytes from the front of `in`, and appends what they mean to `out`, up to `bytes_max`
    /// bytes in it, which is more than it has. Throws std::bad_alloc.
    virtual Result decode(std::string_view& in, std::string& out, std::size_t bytes_max) = 0;
};

/// Makes decoders: compress::decoding() of the library weir-compress has one. Any thread may call
/// each member.
class ContentDecoding {
   public:
    virtual ~ContentDecoding() = default;
    /// For Accept-Encoding: "zstd, gzip".
    virtual std::string_view codings() const noexcept = 0;
    /// For a value of Content-Encoding. Null if it is none of codings(). Throws std::bad_alloc.
    virtual std::unique_ptr<ContentDecoder> decoder(std::string_view coding) const = 0;
};

}  // namespace weir::web
