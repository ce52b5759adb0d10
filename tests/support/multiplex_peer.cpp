#include "support/multiplex_peer.h"

#include <charconv>
#include <utility>

#include "support/incoming.h"

namespace weir::tests::multiplex {

std::string Peer::request(std::string_view target, FrameType type) {
    streams_[++last_stream_];
    const std::string method = type == FrameType::upload ? "POST " : "GET ";
    return frame(type, last_stream_, method + std::string{target});
}

std::string Peer::grant(std::uint32_t stream, std::uint32_t bytes) {
    (stream == 0 ? window_ : state(stream).window) += bytes;
    return number_frame(FrameType::window, stream, bytes);
}

std::string Peer::cancel(std::uint32_t stream) {
    state(stream).canceled = true;
    return frame(FrameType::cancel, stream);
}

std::string Peer::data(std::uint32_t stream, std::string_view content) {
    state(stream).upload_window -= static_cast<std::int64_t>(content.size());
    std::string frames;
    for (; !content.empty(); content.remove_prefix(std::min(payload_bytes_max, content.size())))
        frames += frame(FrameType::data, stream, content.substr(0, payload_bytes_max));
    return frames;
}

Peer::State& Peer::state(std::uint32_t stream) {
    const auto found = streams_.find(stream);
    if (found == streams_.end()) throw Unexpected{"nobody opened stream " + std::to_string(stream)};
    return found->second;
}

void Peer::take(const Frame& frame) {
    if (refused_) throw Unexpected{"a frame after the connection's refusal"};
    if (frame.type == FrameType::goaway) {
        if (goaway_) throw Unexpected{"a second goaway"};
        goaway_ = number_in(frame.payload);
        return;
    }
    if (frame.type == FrameType::refused && frame.stream == 0) {
        refused_ = frame.payload;
        return;
    }
    State& of_stream = state(frame.stream);
    Received& received = of_stream.received;
    if (frame.type == FrameType::window) {
        of_stream.upload_window += number_in(frame.payload);
        return;
    }
    if (received.is_over()) throw Unexpected{"a frame after the stream's end"};
    const bool begins = frame.type == FrameType::answer;
    if (frame.type != FrameType::refused && begins != (received.status == 0))
        throw Unexpected{"an answer has one head, before its content"};
    switch (frame.type) {
        case FrameType::answer:
            std::from_chars(frame.payload.begin(), frame.payload.end(), received.status);
            if (received.status < 100 || received.status > 599 || frame.payload.size() != 3)
                throw Unexpected{"a status of " + std::string{frame.payload}};
            return;
        case FrameType::data: return take_data(of_stream, frame.payload);
        case FrameType::end: received.is_whole = true; break;
        case FrameType::refused: received.refused = frame.payload; break;
        default: throw Unexpected{"a frame of the client's"};
    }
    over_.push_back(frame.stream);
}

void Peer::take_data(State& state, std::string_view content) {
    const auto bytes = static_cast<std::uint32_t>(content.size());
    if (bytes == 0) throw Unexpected{"data without data"};
    state.window -= bytes;
    window_ -= bytes;
    if (state.window < 0 || window_ < 0) throw Unexpected{"more data than was granted"};
    state.to_grant += bytes;
    to_grant_ += bytes;
    if (!state.canceled) state.received.content += content;
}

std::string Peer::take_grants() {
    std::string frames;
    if (const auto bytes = std::exchange(to_grant_, 0)) frames += grant(0, bytes);
    for (auto& [number, state] : streams_) {
        const auto bytes = std::exchange(state.to_grant, 0);
        if (bytes != 0 && !state.received.is_over()) frames += grant(number, bytes);
    }
    return frames;
}

}  // namespace weir::tests::multiplex
