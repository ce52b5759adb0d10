#pragma once

#include <cstdint>
#include <string_view>

#include "http/answer/output_buffer.h"
#include "http/frames/protocol.h"

namespace weir::http::http2 {

/// RFC 9113 4.1
struct FrameHead {
    std::uint32_t size;  // of the payload
    FrameType type;
    std::uint8_t flags;
    StreamId stream;

    bool has(std::uint8_t one) const noexcept { return (flags & one) != 0; }
};

constexpr std::uint32_t read_number(std::string_view bytes) noexcept {
    std::uint32_t number = 0;
    for (const char byte : bytes) number = number << 8u | static_cast<unsigned char>(byte);
    return number;
}

/// `bytes` has frame_head_bytes at least.
constexpr FrameHead read_frame_head(std::string_view bytes) noexcept {
    return {.size = read_number(bytes.substr(0, 3)),
            .type = static_cast<FrameType>(bytes[3]),
            .flags = static_cast<std::uint8_t>(bytes[4]),
            .stream = read_number(bytes.substr(5, 4)) & stream_id_max};
}

inline char* write_number(char* at, std::uint32_t number, unsigned bytes = 4) noexcept {
    for (unsigned shift = 8 * bytes; shift != 0;) {
        shift -= 8;
        *at++ = static_cast<char>(number >> shift & 0xffu);
    }
    return at;
}

/// Returns where the payload begins.
inline char* write_frame_head(char* at, const FrameHead& head) noexcept {
    at = write_number(at, head.size, 3);
    *at++ = static_cast<char>(head.type);
    *at++ = static_cast<char>(head.flags);
    return write_number(at, head.stream);
}

// The frames that this side sends beside HEADERS and DATA.
void append_frame(OutputBuffer& output, const FrameHead& head, std::string_view payload);
void append_settings(OutputBuffer& output, std::uint32_t streams_max,
                     std::uint32_t header_list_bytes_max);
void append_settings_ack(OutputBuffer& output);
void append_ping(OutputBuffer& output, std::uint8_t flags, std::string_view payload);
void append_window_update(OutputBuffer& output, StreamId stream, std::uint32_t bytes);
void append_reset(OutputBuffer& output, StreamId stream, ErrorCode code);
void append_goaway(OutputBuffer& output, StreamId last, ErrorCode code);

}  // namespace weir::http::http2
