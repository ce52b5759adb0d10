#pragma once

#include <cstdint>
#include <string_view>

#include "http/client/status_line.h"
#include "http/head/head_parser.h"
#include "http/syntax/fault.h"
#include "weir/http/head_index.h"
#include "weir/http/limits.h"
#include "weir/http/method.h"

namespace weir::http::client {

/// The length of a response's content, and the fate of its connection: RFC 9112 6.3 and 9.3. A
/// response that two recipients could frame in different ways is refused.
struct ResponseFraming {
    enum class Content : std::uint8_t { none, sized, chunked, until_close, tunnel };

    Fault fault = Fault::none;
    Content content = Content::none;
    std::uint64_t content_length = 0;  // of sized content; > 0
    bool keep_alive = true;
};

/// Reads one response head, in pieces of any size, as HeadParser does for requests.
class ResponseHead {
   public:
    /// `bytes` begin with the head's first byte. Throws std::bad_alloc.
    HeadParser::Result parse(std::string_view bytes, const Limits& limits);
    void reset() noexcept;

    // After HeadParser::Result::complete:

    std::uint16_t code() const noexcept { return line_.code; }
    bool is_interim() const noexcept { return line_.code < 200; }
    const HeadIndex& index() const noexcept { return index_; }
    std::uint32_t size() const noexcept { return index_.size; }
    /// `head` is the head's first byte, `method` that of the request.
    ResponseFraming framing(const char* head, Method method) const noexcept;

    /// After HeadParser::Result::fault.
    Fault fault() const noexcept { return fault_; }

   private:
    HeadParser::Result refuse(Fault fault) noexcept;

    StatusLine line_;  // size 0: not read yet
    HeadParser fields_;
    HeadIndex index_;
    Fault fault_ = Fault::none;
};

}  // namespace weir::http::client
