#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "http/head/head_states.h"
#include "http/syntax/fault.h"
#include "weir/http/limits.h"

namespace weir::http {

/// Decodes the chunked transfer coding (RFC 9112 7.1). The input may be split at any byte. The
/// decoder stores no input except the trailer section. Its transitions are in head_states.h.
class ChunkedDecoder {
   public:
    enum class Result : std::uint8_t { more, data, complete, fault };

    struct Step {
        Result result;
        std::size_t consumed;   // bytes of the input that were processed, for every result
        std::string_view data;  // for Result::data: content, a part of the consumed input
        Fault fault = Fault::none;
    };

    /// After `data`, call it again with the rest of the input; after `more`, with new input.
    Step decode(std::string_view input, const Limits& limits);

    /// After `complete`: the field lines of the trailer section ("name: value\r\n"...), validated.
    /// It leaves out fields that must not be in a trailer section (RFC 9110 6.5.1).
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

    std::uint64_t chunk_left_ = 0;       // bytes left of the chunk's data
    std::uint32_t line_bytes_ = 0;       // bytes of the chunk's size line, without its end
    std::uint32_t extension_bytes_ = 0;  // in the whole message
    std::uint32_t trailer_bytes_ = 0;
    std::uint32_t trailer_begin_ = 0;  // position of the current line in trailers_
    std::uint32_t trailer_name_ = 0;   // size of its name
    std::uint32_t trailer_fields_ = 0;
    State state_ = State::size_first;
    std::string trailers_;
};

}  // namespace weir::http
