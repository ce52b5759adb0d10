#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compress/coding/encoder.h"
#include "http/answer/content_coding.h"

namespace weir::compress {

/// One of the codings that a compressor gives.
struct CodingInUse {
    http::Coding coding;
    std::string_view token;
    MakeEncoder make;
    int level;
    std::size_t bytes;  // what one encoder takes, about
    /// So much is compressed on the thread that has it: within half a millisecond, whatever it is.
    std::size_t quick_bytes;
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
