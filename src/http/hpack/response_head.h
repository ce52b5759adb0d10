#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "http/answer/output_buffer.h"
#include "http/answer/render.h"
#include "http/frames/protocol.h"
#include "weir/http/response.h"

namespace weir::http::http2 {

/// What a response's header section has beside its own fields.
struct HeadFacts {
    StreamId stream = 0;
    std::optional<std::uint64_t> content_length{};
    const DateLine* date_line = nullptr;  // may be null
    bool ends_stream = false;             // no content follows
    /// The peer has made its table for fields smaller. This side never uses that table, and says so:
    /// RFC 7541 4.2.
    bool empties_table = false;
};

/// Renders the header section as a HEADERS frame, and CONTINUATION frames where it needs them (RFC 9113
/// 6.2, RFC 7541). Fields enter no table: no state is kept, and the rendering of a section does not
/// depend on the one before. Fields that are about the connection, which HTTP/2 does not have, are left
/// out (RFC 9113 8.2.2).
void render_head(OutputBuffer& output, const Response& response, const HeadFacts& facts);
/// 100 Continue (RFC 9110 15.2.1).
void render_continue(OutputBuffer& output, StreamId stream, bool empties_table);
/// `lines`: "name: value\r\n"... They end the stream.
void render_trailers(OutputBuffer& output, StreamId stream, std::string_view lines,
                     bool empties_table);

}  // namespace weir::http::http2
