#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compress/coding/encoder.h"
#include "http/answer/content_coding.h"

namespace weir::compress {

/// A kind of encoder, and how to make one.
struct EncoderKind {
    MakeEncoder make;
    std::size_t bytes;  // the memory of one encoder, about
    std::size_t slot;   // the pool's index for this kind
};
/// One slot for each coding, and one for the gzip encoders of whole contents.
inline constexpr std::size_t encoder_slots = http::coding_count + 1;

/// A coding that a compressor uses.
struct CodingInUse {
    http::Coding coding;
    std::string_view token;
    int level;
    EncoderKind for_streams;
    EncoderKind for_wholes;  // for contents that are in memory as a whole: the same kind, or a
                             // faster one
    /// The connection's thread compresses up to this many bytes by itself, which take less than a
    /// millisecond for any content.
    std::size_t quick_bytes;
    std::size_t quick_whole_bytes;
};

/// Returns the codings in the order of preference. `tokens` and `level` as in Options; the error is
/// one sentence.
std::expected<std::vector<CodingInUse>, std::string> codings_from(std::vector<std::string> tokens,
                                                                  int level);

/// The result of a request's Accept-Encoding.
struct Choice {
    const CodingInUse* coding = nullptr;  // null: uncompressed
    bool refuses_identity = false;        // "identity;q=0"
};
Choice choose(const http::Request& request, const std::vector<CodingInUse>& codings) noexcept;

}  // namespace weir::compress
