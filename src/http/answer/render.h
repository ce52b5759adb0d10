#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "http/answer/output_buffer.h"
#include "weir/http/response.h"

namespace weir::http {

/// How the end of an answer's content is told (RFC 9112 6.3).
enum class Delimiter : std::uint8_t { none, length, chunked, close };

/// What the core adds to a response to make it a message.
struct HeadFacts {
    Delimiter delimiter = Delimiter::none;
    std::uint64_t content_length = 0;
    std::string_view date_line;   // with its CRLF; may be empty
    bool close = false;           // "Connection: close"
    bool keep_alive_1_0 = false;  // "Connection: keep-alive", which HTTP/1.0 needs said
};

/// Renders the head, and behind it `content`, into one piece.
void render(OutputBuffer& output, const Response& response, const HeadFacts& facts,
            std::string_view content);

}  // namespace weir::http
