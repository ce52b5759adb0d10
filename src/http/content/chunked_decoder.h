#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "http/answer/fault.h"
#include "http/head/head_states.h"
#include "weir/http/limits.h"

namespace weir::http {

/// Takes the chunked coding (RFC 9112 7.1) off a body, however the stream is cut. Keeps nothing of
/// the input but the trailer section. The transitions are those of head_states.h.
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

    /// After `complete`: the trailer section's lines ("name: value\r\n"...), validated. Fields that
    /// must not be in a trailer section (RFC 9110 6.5.1) are left out.
    std::string take_trailers() noexcept { return std::move(trailers_); }

   private:
    Fault take(char byte, const Limits& limits);
    Fault count(const Limits& limits) noexcept;
    Fault act(Action action, char byte, const Limits& limits);
    Fault add_digit(char digit) noexcept;
    void end_trailer();
    std::string_view trailer_line() const noexcept {
        return std::string_view{trailers_}.substr(trailer_begin_);
    }

    std::uint64_t chunk_left_ = 0;       // of the chunk's data
    std::uint32_t line_bytes_ = 0;       // of the chunk's size line, without its end
    std::uint32_t extension_bytes_ = 0;  // of the whole message
    std::uint32_t trailer_bytes_ = 0;
    std::uint32_t trailer_begin_ = 0;  // of the current line, in trailers_
    std::uint32_t trailer_name_ = 0;   // its size
    std::uint32_t trailer_fields_ = 0;
    State state_ = State::size_first;
    std::string trailers_;
};

}  // namespace weir::http
