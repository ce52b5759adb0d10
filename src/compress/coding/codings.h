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

/// How the encoders of a kind are made.
struct EncoderKind {
    MakeEncoder make;
    std::size_t bytes;  // what one takes, about
    std::size_t slot;   // where a pool keeps them
};
/// One for each coding, and one that is for whole contents alone.
inline constexpr std::size_t encoder_slots = http::coding_count + 1;

/// One of the codings that a compressor gives.
struct CodingInUse {
    http::Coding coding;
    std::string_view token;
    int level;
    EncoderKind for_streams;
    EncoderKind for_wholes;  // contents that are there as a whole: the same kind, or a faster one
    /// So much is compressed on the thread that has it: within a millisecond, whatever it is.
    std::size_t quick_bytes;
    std::size_t quick_whole_bytes;
};

/// In the order of preference. `tokens` and `level` as in Options; the error is one sentence.
std::expected<std::vector<CodingInUse>, std::string> codings_from(std::vector<std::string> tokens,
                                                                  int level);

/// What a request's Accept-Encoding comes to.
struct Choice {
    const CodingInUse* coding = nullptr;  // null: as it is
    bool refuses_identity = false;        // "identity;q=0"
};
Choice choose(const http::Request& request, const std::vector<CodingInUse>& codings) noexcept;

}  // namespace weir::compress
