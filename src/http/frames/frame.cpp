#include "http/frames/frame.h"

#include <array>

namespace weir::http::http2 {
namespace {

/// Of numbers of 32 bits.
template <std::size_t count>
void append_numbers(OutputBuffer& output, FrameType type, StreamId stream,
                    const std::array<std::uint32_t, count>& numbers) {
    std::array<char, 4 * count> payload;
    char* at = payload.data();
    for (const std::uint32_t number : numbers) at = write_number(at, number);
    append_frame(output, {.size = payload.size(), .type = type, .flags = 0, .stream = stream},
                 {payload.data(), payload.size()});
}

}  // namespace

void append_frame(OutputBuffer& output, const FrameHead& head, std::string_view payload) {
    char* const at = write_frame_head(output.room(frame_head_bytes + payload.size()), head);
    payload.copy(at, payload.size());
    output.commit(frame_head_bytes + payload.size());
}

void append_settings(OutputBuffer& output, std::uint32_t streams_max,
                     std::uint32_t header_list_bytes_max) {
    struct Entry {
        Setting setting;
        std::uint32_t value;
    };
    const std::array entries{Entry{Setting::max_concurrent_streams, streams_max},
                             Entry{Setting::max_header_list_size, header_list_bytes_max},
                             Entry{Setting::enable_connect_protocol, 1},
                             Entry{Setting::no_rfc7540_priorities, 1}};
    constexpr std::size_t entry_bytes = 6;
    std::array<char, entry_bytes * entries.size()> payload;
    char* at = payload.data();
    for (const Entry& entry : entries) {
        at = write_number(at, static_cast<std::uint32_t>(entry.setting), 2);
        at = write_number(at, entry.value);
    }
    append_frame(output,
                 {.size = payload.size(), .type = FrameType::settings, .flags = 0, .stream = 0},
                 {payload.data(), payload.size()});
}

void append_settings_ack(OutputBuffer& output) {
    append_frame(output, {.size = 0, .type = FrameType::settings, .flags = flag::ack, .stream = 0},
                 {});
}

void append_ping(OutputBuffer& output, std::uint8_t flags, std::string_view payload) {
    append_frame(output,
                 {.size = static_cast<std::uint32_t>(payload.size()),
                  .type = FrameType::ping,
                  .flags = flags,
                  .stream = 0},
                 payload);
}

void append_window_update(OutputBuffer& output, StreamId stream, std::uint32_t bytes) {
    append_numbers(output, FrameType::window_update, stream, std::array{bytes});
}

void append_reset(OutputBuffer& output, StreamId stream, ErrorCode code) {
    append_numbers(output, FrameType::rst_stream, stream,
                   std::array{static_cast<std::uint32_t>(code)});
}

void append_goaway(OutputBuffer& output, StreamId last, ErrorCode code) {
    append_numbers(output, FrameType::goaway, 0,
                   std::array{last, static_cast<std::uint32_t>(code)});
}

}  // namespace weir::http::http2
