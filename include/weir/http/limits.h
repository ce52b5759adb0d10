#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "weir/base/requires_cxx23.h"

namespace weir::http {

/// What a peer may make this server hold or do. Every input has a limit, and each limit a reason;
/// crossing one has the answer named beside it. Sizes are in bytes.
struct Limits {
    /// Method, target and version with their spaces: 414. RFC 9112 3 asks for at least 8,000.
    std::uint32_t request_line_bytes_max = 8 * 1024;
    /// One field line: 431. Cookies and bearer tokens reach 4 to 8 KB in the field.
    std::uint32_t field_line_bytes_max = 8 * 1024;
    /// The whole head, request line included: 431. Must stay below what a connection may keep of
    /// an unfinished head.
    std::uint32_t head_bytes_max = 32 * 1024;
    /// Field lines of a head or a trailer section: 431. Each costs an index entry.
    std::uint32_t fields_max = 100;
    /// Content that is collected for a handler, after decoding: 413. A stream that the handler
    /// reads itself is not bound by it.
    std::uint64_t content_bytes_max = 1024 * 1024;
    /// Size line with its extensions, of one chunk: 400. Extensions mean nothing to us; they are
    /// read only to be passed over (RFC 9112 7.1.1 asks for a limit).
    std::uint32_t chunk_line_bytes_max = 256;
    /// Extension bytes of a whole message: 400. Otherwise a body of one-byte chunks carries 256
    /// bytes of noise for each byte of content.
    std::uint32_t chunk_extension_bytes_max = 16 * 1024;
    /// The trailer section: 431.
    std::uint32_t trailer_bytes_max = 8 * 1024;
    /// Answers to pipelined requests are gathered up to here, then sent before more is handled.
    std::uint32_t pipelined_output_bytes_max = 64 * 1024;
    /// Requests that one connection may make before it is closed; 0 for no limit. A limit spreads
    /// long-lived clients over the workers again.
    std::uint32_t requests_per_connection_max = 0;
    /// Content that nobody wants is read and thrown away up to here after an early answer, so that
    /// the client reads the answer and not a reset (RFC 9112 9.6).
    std::uint64_t drain_bytes_max = 1024 * 1024;
    /// Answers whose content is at most this long are copied behind their head and leave in one
    /// send; longer content is sent from where it lies. Affects speed only.
    std::uint32_t inline_content_bytes_max = 16 * 1024;
};

/// How long a peer or a handler may take. A timer that runs out closes the connection, with the
/// answer named beside it where one is due. Zero switches a timer off.
struct Timeouts {
    /// From the first byte of a request (or from the connection's start) to the end of its head:
    /// 408, or nothing where no byte came.
    std::chrono::milliseconds head{10'000};
    /// The longest pause between two arrivals of content: 408.
    std::chrono::milliseconds body{30'000};
    /// From a request's hand-over to its answer, and each pause of a streaming answer: 503.
    std::chrono::milliseconds handler{60'000};
    /// The longest pause in which the peer takes nothing of an answer: closed.
    std::chrono::milliseconds transmit{30'000};
    /// Between two requests: closed, silently (RFC 9112 9.5).
    std::chrono::milliseconds keep_alive{75'000};
    /// How long a closing connection is drained in all: closed.
    std::chrono::milliseconds drain{5'000};
    /// Content must arrive at this mean rate at least, in bytes a second, counted from its start
    /// with `body` as a head start; 0 for any. Stops a sender of one byte per pause.
    std::uint32_t content_rate_min = 240;
};

}  // namespace weir::http
