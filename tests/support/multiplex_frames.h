#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::tests::multiplex {

/// The wire of the multiplexing test protocol: framed requests and answers on numbered streams. It has
/// what HTTP/2 (RFC 9113) asks of the contract, and nothing else of HTTP/2.
///
/// A frame is a type (1 byte), the payload's length (3), a stream (4), all big-endian, and the payload.
/// The client opens streams with growing numbers. Stream 0 is the connection.
enum class FrameType : char {
    // From the client
    request = 'Q',  // "GET /path?query"; no content follows
    upload = 'U',   // "POST /path"; content follows, up to `end`
    cancel = 'C',   // it takes no more of this stream
    // From the server
    answer = 'A',   // "200"; content follows, up to `end`
    refused = 'R',  // the stream is over, and why in words; on stream 0, the connection
    goaway = 'G',   // the last stream that is served, as four bytes: later ones are refused
    // From both
    data = 'D',
    end = 'E',
    window = 'W',  // four bytes: so many bytes of `data` more may be sent, on this stream or on all
};

struct Frame {
    FrameType type;
    std::uint32_t stream;
    std::string_view payload;
};

inline constexpr std::size_t frame_head_bytes = 8;
inline constexpr std::size_t payload_bytes_max = 16 * 1024;
/// What each side may send of `data` before it is granted more.
inline constexpr std::uint32_t first_stream_window = 64 * 1024;
inline constexpr std::uint32_t first_connection_window = 1024 * 1024;

std::string frame_head(FrameType type, std::uint32_t stream, std::size_t payload_bytes);
std::string frame(FrameType type, std::uint32_t stream, std::string_view payload = {});
std::string number_frame(FrameType type, std::uint32_t stream, std::uint32_t number);
/// Of a payload of four bytes.
std::uint32_t number_in(std::string_view payload);

struct ReadFrame {
    enum class Result : std::uint8_t { more, frame, malformed } result;
    Frame frame{};
    std::size_t size = 0;  // of the whole frame
};
/// The frame that `bytes` begin with.
ReadFrame read_frame(std::string_view bytes);

}  // namespace weir::tests::multiplex
