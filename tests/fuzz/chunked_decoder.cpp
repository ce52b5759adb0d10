// Chunks are decoded the same whole, in two pieces, and byte by byte.

#include "http/content/chunked_decoder.h"

#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

using namespace http;
using Result = ChunkedDecoder::Result;

struct Decoded {
    std::string content;
    std::string trailers;
    std::size_t consumed = 0;
    Result result = Result::more;
    Fault fault = Fault::none;

    bool operator==(const Decoded&) const = default;
};

/// Decodes one piece. False where there is no need of another.
bool take(ChunkedDecoder& decoder, Decoded& decoded, std::string_view piece, const Limits& limits) {
    while (!piece.empty()) {
        const ExactCopy bytes{piece};
        const auto step = decoder.decode(bytes.view(), limits);
        require(step.consumed <= piece.size());
        require(step.result != Result::more || step.consumed == piece.size());
        decoded.content += step.data;
        decoded.consumed += step.consumed;
        decoded.result = step.result;
        decoded.fault = step.fault;
        if (step.result == Result::complete || step.result == Result::fault) return false;
        decoded.result = Result::more;
        piece.remove_prefix(step.consumed);
    }
    return true;
}

Decoded decode(std::string_view text, std::size_t first, std::size_t step, const Limits& limits) {
    ChunkedDecoder decoder;
    Decoded decoded;
    bool goes_on = take(decoder, decoded, text.substr(0, first), limits);
    for (std::size_t at = first; goes_on && at < text.size(); at += step)
        goes_on = take(decoder, decoded, text.substr(at, step), limits);
    if (decoded.result == Result::complete) decoded.trailers = decoder.take_trailers();
    return decoded;
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const std::string_view text = input.text;
    const Decoded whole = decode(text, text.size(), 1, input.limits);
    require(decode(text, input.cut, text.size() + 1, input.limits) == whole);
    require(decode(text, 0, 1, input.limits) == whole);
    require(whole.content.size() + whole.trailers.size() <= text.size() * 2);
}

}  // namespace weir::tests
