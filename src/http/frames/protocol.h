#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::http::http2 {

using StreamId = std::uint32_t;

/// RFC 9113 6 and RFC 9218 7.1. A frame of any other type is skipped.
enum class FrameType : std::uint8_t {
    data = 0,
    headers = 1,
    priority = 2,
    rst_stream = 3,
    settings = 4,
    push_promise = 5,
    ping = 6,
    goaway = 7,
    window_update = 8,
    continuation = 9,
    priority_update = 16,
};

namespace flag {
inline constexpr std::uint8_t end_stream = 0x1;  // of DATA and HEADERS
inline constexpr std::uint8_t ack = 0x1;         // of SETTINGS and PING
inline constexpr std::uint8_t end_headers = 0x4;
inline constexpr std::uint8_t padded = 0x8;
inline constexpr std::uint8_t priority = 0x20;
}  // namespace flag

/// RFC 9113 7
enum class ErrorCode : std::uint32_t {
    no_error = 0x0,
    protocol_error = 0x1,
    internal_error = 0x2,
    flow_control_error = 0x3,
    stream_closed = 0x5,
    frame_size_error = 0x6,
    refused_stream = 0x7,
    cancel = 0x8,
    compression_error = 0x9,
    enhance_your_calm = 0xb,
};

/// RFC 9113 6.5.2, RFC 8441 3 and RFC 9218 2.1
enum class Setting : std::uint16_t {
    header_table_size = 0x1,
    enable_push = 0x2,
    max_concurrent_streams = 0x3,
    initial_window_size = 0x4,
    max_frame_size = 0x5,
    max_header_list_size = 0x6,
    enable_connect_protocol = 0x8,
    no_rfc7540_priorities = 0x9,
};

/// The client's preface (RFC 9113 3.4).
inline constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

inline constexpr std::size_t frame_head_bytes = 9;
/// The largest payload that each side takes without a setting. This side sends none.
inline constexpr std::uint32_t frame_bytes_max = 16 * 1024;
/// The first window of a stream and of the connection, in bytes (RFC 9113 6.9.2).
inline constexpr std::int32_t first_window = 65'535;
inline constexpr std::int64_t window_max = 0x7fff'ffff;
inline constexpr StreamId stream_id_max = 0x7fff'ffff;

/// RFC 9218 4: the urgency of a response, and whether its parts are of use on their own.
struct Priority {
    std::uint8_t urgency = 3;  // 0 (first) to 7
    bool incremental = false;

    bool operator==(const Priority&) const = default;
};

/// Reads the Priority field, or the value of a PRIORITY_UPDATE frame (RFC 9218 4). Unknown parameters
/// are ignored.
Priority read_priority(std::string_view field) noexcept;

}  // namespace weir::http::http2
