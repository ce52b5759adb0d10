#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/answer/output_buffer.h"
#include "http/answer/render.h"
#include "http/frames/protocol.h"
#include "weir/http/response.h"

namespace weir::http::http2 {

/// The parts of a header section that are not the response's own fields.
struct HeadFacts {
    StreamId stream = 0;
    std::optional<std::uint64_t> content_length{};
    const DateLine* date_line = nullptr;  // may be null
    bool ends_stream = false;             // no content follows
    /// The peer has reduced the size of its dynamic table. This side never uses the table, and so
    /// announces the size 0 (RFC 7541 4.2).
    bool empties_table = false;
};

/// Renders the header section as a HEADERS frame and, if it is too long for one, CONTINUATION
/// frames (RFC 9113 6.2, RFC 7541). The fields do not enter the dynamic table, so there is no state
/// between sections. Omits the fields about the connection, which HTTP/2 does not have (RFC 9113
/// 8.2.2).
void render_head(OutputBuffer& output, const Response& response, const HeadFacts& facts);
/// Returns "Name: value\r\n"... as render_head() writes them, for Response::prepared_fields().
std::string field_block(std::string_view lines);
/// Renders an interim response, which does not end the stream (RFC 9113 8.1). `lines`:
/// "name: value\r\n"...
void render_interim(OutputBuffer& output, StreamId stream, Status status, std::string_view lines,
                    bool empties_table);
/// Renders trailers, which end the stream. `lines`: "name: value\r\n"...
void render_trailers(OutputBuffer& output, StreamId stream, std::string_view lines,
                     bool empties_table);

}  // namespace weir::http::http2
