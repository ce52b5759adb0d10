#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "http/answer/output_buffer.h"
#include "weir/http/response.h"

namespace weir::http {

/// How the end of the content is marked (RFC 9112 6.3).
enum class Delimiter : std::uint8_t { none, length, chunked, close };

/// "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
using DateLine = std::array<char, 37>;

/// The fields that the core adds to a response.
struct HeadFacts {
    Delimiter delimiter = Delimiter::none;
    std::uint64_t content_length = 0;
    const DateLine* date_line = nullptr;  // may be null
    bool close = false;                   // "Connection: close"
    bool keep_alive_1_0 = false;          // "Connection: keep-alive", which HTTP/1.0 requires
};

/// Renders the head, and `content` behind it, into one block.
void render(OutputBuffer& output, const Response& response, const HeadFacts& facts,
            std::string_view content);

}  // namespace weir::http
