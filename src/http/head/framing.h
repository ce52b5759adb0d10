#pragma once

#include <cstdint>

#include "http/answer/fault.h"
#include "weir/http/head_index.h"

namespace weir::http {

/// What a complete head means for its connection: RFC 9112 6.3 (length), 9.3 (persistence),
/// 3.2 (Host), RFC 9110 10.1.1 (Expect).
struct Framing {
    enum class Content : std::uint8_t { none, sized, chunked };

    Fault fault = Fault::none;  // where it is not none, the connection is answered and closed
    Content content = Content::none;
    std::uint64_t content_length = 0;  // of sized content; > 0
    bool keep_alive = true;         // what the peer allows: its version and its Connection options
    bool expects_continue = false;  // ignored in HTTP/1.0 and without content
};

/// Also fills index.authority from Host where the target has none.
Framing framing_of(const char* head, HeadIndex& index) noexcept;

}  // namespace weir::http
