#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "weir/base/requires_cxx23.h"

namespace weir::http {

/// Limits on the memory and the work that a peer can cause. Each comment names the status of the
/// response if a request exceeds the limit, and the reason for the limit. Sizes are in bytes.
struct Limits {
    /// Method, target and version, with the spaces between them: 414. RFC 9112 3 recommends at
    /// least 8,000.
    std::uint32_t request_line_bytes_max = 8 * 1024;
    /// One field line: 431. Cookies and bearer tokens of 4 to 8 KB are common.
    std::uint32_t field_line_bytes_max = 8 * 1024;
    /// The whole head, including the request line: 431. It must stay below the size that a
    /// connection can store of an unfinished head.
    std::uint32_t head_bytes_max = 32 * 1024;
    /// The number of field lines in a head or a trailer section: 431. Each line costs an index
    /// entry.
    std::uint32_t fields_max = 100;
    /// Content that the server collects for a handler (ReadContent), after decoding: 413. It does
    /// not limit content that goes to a Sink.
    std::uint64_t content_bytes_max = 1024 * 1024;
    /// The size line of one chunk, including extensions: 400. The server ignores extensions but
    /// must read past them, so RFC 9112 7.1.1 asks for a limit.
    std::uint32_t chunk_line_bytes_max = 256;
    /// All chunk extensions of one message: 400. Without it, a body of one-byte chunks could carry
    /// 256 bytes of extensions for each byte of content.
    std::uint32_t chunk_extension_bytes_max = 16 * 1024;
    /// The trailer section: 431.
    std::uint32_t trailer_bytes_max = 8 * 1024;
    /// The server handles pipelined requests until their responses reach this size. It sends these
    /// responses before it handles more requests.
    std::uint32_t pipelined_output_bytes_max = 64 * 1024;
    /// The number of requests on one connection before the server closes it; 0: no limit. With a
    /// limit, long-lived clients spread over the workers again.
    std::uint32_t requests_per_connection_max = 0;
    /// The number of requests under way on one HTTP/2 connection. The server refuses more
    /// (REFUSED_STREAM), and the client may send them again. A request that the peer has reset
    /// counts until its handler has returned. RFC 9113 5.1.2 recommends at least 100.
    std::uint32_t streams_max = 100;
    /// Some peers shut down their side of the connection and still await a response (`nc -N`). TCP
    /// does not tell them from peers that have closed. False: coroutines, streams and requests to
    /// other servers end then; other requests go on. True: all requests go on.
    bool half_close = false;
    /// The server copies content up to this size behind the head and sends both in one call. It
    /// sends longer content without a copy. Affects speed only.
    std::uint32_t inline_content_bytes_max = 16 * 1024;
};

/// Limits on how long a peer or a handler may take. If a timer runs out, the connection closes. If
/// the peer gets a response, the comment names its status. Zero switches a timer off.
struct Timeouts {
    /// From the first byte of a request (for the first request, from the start of the connection)
    /// to the end of its head: 408. The peer gets no response if it sent nothing.
    std::chrono::milliseconds head{10'000};
    /// The longest pause between two parts of the request's content: 408.
    std::chrono::milliseconds body{30'000};
    /// From the call of the handler to its response: 503. Also limits each pause of a sink.
    std::chrono::milliseconds handler{60'000};
    /// Each pause of a source, within a response. A stream may pause as long as it wants to, unless
    /// this is set: the server notices a peer that leaves meanwhile, and the kernel asks one that is
    /// silent (TCP keep-alive).
    std::chrono::milliseconds pause{0};
    /// While a response waits for the peer, the server checks once in each such period that the
    /// peer has taken enough since the last check: at least one byte, and as many as
    /// `transmit_rate_min` requires. If not, the server resets the connection. So a peer that takes
    /// nothing is cut after one to two periods.
    std::chrono::milliseconds transmit{30'000};
    /// The longest pause between two requests. The connection closes without a response (RFC 9112
    /// 9.5).
    std::chrono::milliseconds keep_alive{75'000};
    /// When the server stops, a connection that is idle between two requests stays open for this
    /// time: a request may be on its way, and still gets its response. (Otherwise the client would
    /// have to repeat it, RFC 9112 9.5.)
    std::chrono::milliseconds last_request{100};
    /// After an early response, the server reads and discards further input. Otherwise the peer
    /// could see a reset instead of the response (RFC 9112 9.6). The connection closes when the
    /// peer ends, or pauses for this time, or after `drain_total`.
    std::chrono::milliseconds drain{5'000};
    /// The longest time to read from a connection that is closing.
    std::chrono::milliseconds drain_total{30'000};
    /// The lowest mean rate of arriving content, in bytes per second, measured from the start of
    /// the content. A peer has the time `body` in addition. 0: no limit. The limit stops a client
    /// that sends one byte per pause.
    std::uint32_t content_rate_min = 240;
    /// The lowest mean rate at which a peer takes a response that waits for it, in bytes per
    /// second, measured over each period `transmit`. 0: one byte in that period is enough. The
    /// limit stops a client that reads one byte per pause.
    std::uint32_t transmit_rate_min = 240;
};

}  // namespace weir::http
