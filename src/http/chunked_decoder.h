#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/fault.h"
#include "weir/http/limits.h"

namespace weir::http {

/// Takes the chunked coding (RFC 9112 7.1) off a body, however the stream is cut. Keeps nothing of
/// the input but the trailer section.
class ChunkedDecoder {
   public:
    enum class Result : std::uint8_t { more, data, complete, fault };

    struct Step {
        Result result;
        std::size_t consumed;   // bytes of the input that are done with, whatever the result
        std::string_view data;  // with Result::data: content, a part of the consumed input
        Fault fault = Fault::none;
    };

    /// Call again with the rest of the input after `data`, with new input after `more`.
    Step decode(std::string_view input, const Limits& limits);

    /// After `complete`: the trailer section's lines ("name: value\r\n"...), validated.
    std::string take_trailers() noexcept { return std::move(trailers_); }

   private:
    std::uint64_t chunk_left_ = 0;
    std::uint32_t line_bytes_ = 0;
    std::uint32_t extension_bytes_ = 0;
    std::uint8_t state_ = 0;
    std::string trailers_;
};

}  // namespace weir::http
