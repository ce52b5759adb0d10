#include "support/http2_client.h"

#include <algorithm>

namespace weir::tests {

namespace flag = http2::flag;
using http2::FrameType;

Http2Client::Http2Client(std::unique_ptr<Channel> channel) : channel_{std::move(channel)} {
    windows_[0] = http::http2::first_window;
    channel_->send(http2::hello());
}

Http2Client::StreamId Http2Client::request(std::string_view target, const http2::Fields& more) {
    const StreamId stream = next_;
    next_ += 2;
    channel_->send(http2::get(stream, target, more));
    return stream;
}

Http2Client::StreamId Http2Client::post(std::string_view target, std::string_view content) {
    const StreamId stream = next_;
    next_ += 2;
    windows_[stream] = http::http2::first_window;
    channel_->send(http2::post(stream, target));
    upload(stream, content);
    return stream;
}

Http2Client::StreamId Http2Client::connect(std::string_view target, std::string_view protocol,
                                           const http2::Fields& more) {
    const StreamId stream = next_;
    next_ += 2;
    windows_[stream] = http::http2::first_window;
    http2::Fields fields{{":method", "CONNECT"},
                         {":protocol", std::string{protocol}},
                         {":scheme", "http"},
                         {":path", std::string{target}},
                         {":authority", "localhost"}};
    fields.insert(fields.end(), more.begin(), more.end());
    channel_->send(http2::headers(stream, fields, flag::end_headers));
    return stream;
}

void Http2Client::upload(StreamId stream, std::string_view content) {
    while (!content.empty()) {
        const std::int64_t window = std::min(windows_[0], windows_[stream]);
        const auto most = static_cast<std::size_t>(std::clamp<std::int64_t>(window, 0, 16'384));
        const std::string_view piece = content.substr(0, most);
        content.remove_prefix(piece.size());
        if (piece.empty()) {
            if (!read_frame()) throw Unexpected{"the end within an upload"};
            continue;
        }
        channel_->send(http2::data(stream, piece));
        windows_[0] -= static_cast<std::int64_t>(piece.size());
        windows_[stream] -= static_cast<std::int64_t>(piece.size());
    }
}

bool Http2Client::read_frame() {
    if (channel_->peek() < 0) return false;
    std::string bytes = channel_->take(http::http2::frame_head_bytes);
    bytes += channel_->take(http::http2::read_frame_head(bytes).size);
    reader_.take(bytes);
    const http2::Frame frame = reader_.frames.back();
    if (reader_.frames.size() > 1) reader_.frames.pop_back();  // large answers have many
    if (frame.type == FrameType::window_update) windows_[frame.stream] += frame.number();
    if (frame.type == FrameType::ping && !frame.has(flag::ack))
        channel_->offer(http2::ping(frame.payload, flag::ack));
    if (frame.type != FrameType::data) ++seen_[frame.type];
    if (frame.type == FrameType::data && opens_windows) open_windows(frame.stream);
    return true;
}

/// In large steps, as clients do; the server may have closed after its last frame.
void Http2Client::open_windows(StreamId stream) {
    constexpr std::uint32_t step = 32 * 1024;
    unopened_[0] += reader_.take_content_bytes();
    unopened_[stream] += reader_.take_content_bytes(stream);
    for (const StreamId each : {StreamId{0}, stream})
        if (unopened_[each] >= step)
            channel_->offer(http2::window(each, std::exchange(unopened_[each], 0)));
}

const http2::Received& Http2Client::answer(StreamId stream) {
    while (!reader_.stream(stream).is_over())
        if (!read_frame()) throw Unexpected{"the end before that of a stream"};
    return reader_.stream(stream);
}

const http2::Received& Http2Client::content(StreamId stream, std::size_t bytes) {
    while (reader_.stream(stream).content.size() < bytes)
        if (!read_frame()) throw Unexpected{"the end within content"};
    return reader_.stream(stream);
}

void Http2Client::round_trip() {
    channel_->send(http2::ping());
    await(FrameType::ping, seen_[FrameType::ping] + 1);
}

void Http2Client::await(FrameType type, int count) {
    while (seen_[type] < count)
        if (!read_frame()) throw Unexpected{"the end before a frame"};
}

Ending Http2Client::ending() {
    while (read_frame()) {}
    return Ending::closed;
}

}  // namespace weir::tests
