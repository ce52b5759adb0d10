// Http2Connection: from frames to the state of the connection.

#include <algorithm>
#include <utility>

#include "http/http2/http2_connection.h"

namespace weir::http {

namespace flag = http2::flag;
using http2::FrameType;
using http2::Setting;

void Http2Connection::do_receive(std::string_view bytes, Now now) {
    now_ = now;
    if (closing_) {
        due_.drain = never;
        return update_deadline();
    }
    tolerance_.received += bytes.size();
    parser_.add(bytes);
    parser_.read(*this);
    if (tolerance_.has_too_much_overhead(bounds_)) end_with(ErrorCode::enhance_your_calm);
    advance(now);
}

void Http2Connection::do_receive_end(Now now) {
    now_ = now;
    input_ended_ = true;
    if (!closing_) end_what_waits_for_peer();
    advance(now);
}

void Http2Connection::send_settings() {
    http2::append_settings(replies(), workspace_.limits.streams_max,
                           workspace_.limits.head_bytes_max);
}

/// The preface was read.
void Http2Connection::begin() {
    http2::append_window_update(
        replies(), 0, static_cast<std::uint32_t>(bounds_.connection_window - http2::first_window));
    goaway_.repeat(replies());
}

/// RFC 9113 6.1. Padding counts towards the windows, and is consumed at once.
bool Http2Connection::begin_data(const FrameHead& head, std::size_t framing) {
    if (!is_data_due(head)) return false;
    const bool is_empty = head.size == framing && !head.has(flag::end_stream);
    if (is_empty && !spend(tolerance_.idle_frames)) return false;
    if (framing == 0) return true;
    Stream* const stream = streams_.find(head.stream);
    stream != nullptr && stream->is_awaited() ? grant(*stream, framing) : grant(framing);
    return true;
}

/// Checks the stream and both windows. False if the frame ended the connection.
bool Http2Connection::is_data_due(const FrameHead& head) {
    if (is_idle(head.stream)) return fault(ErrorCode::protocol_error);
    if (!receive_window_.take(head.size)) return fault(ErrorCode::flow_control_error);
    Stream* const stream = streams_.find(head.stream);
    if (stream == nullptr)
        return closed_.find(head.stream) == http2::ClosedStreams::End::was_reset ||
               fault(ErrorCode::stream_closed);
    if (!stream->is_awaited()) return !stream->peer_ended || fault(ErrorCode::stream_closed);
    if (stream->peer_ended) return stream_fault(head.stream, ErrorCode::stream_closed);
    return stream->receive_window.take(head.size) ||
           stream_fault(head.stream, ErrorCode::flow_control_error);
}

/// False if the frame ended the connection.
bool Http2Connection::take_frame(const FrameHead& head, std::string_view payload) {
    switch (head.type) {
        case FrameType::priority: return take_priority(head, payload);
        case FrameType::rst_stream: return take_reset(head, payload);
        case FrameType::settings: return take_settings(head, payload);
        case FrameType::push_promise: return fault(ErrorCode::protocol_error);
        case FrameType::ping: return take_ping(head, payload);
        case FrameType::goaway: return take_goaway(head, payload);
        case FrameType::window_update: return take_window(head, payload);
        case FrameType::priority_update: return take_priority_update(head, payload);
        default: return spend(tolerance_.idle_frames);  // RFC 9113 5.5
    }
}

/// RFC 9113 5.4.1. Always false.
bool Http2Connection::fault(ErrorCode code) {
    end_with(code);
    return false;
}

/// RFC 9113 5.4.2. A reset that the peer has caused counts like a reset of its own.
bool Http2Connection::stream_fault(StreamId id, ErrorCode code) {
    if (Stream* const stream = streams_.find(id); stream != nullptr && stream->is_awaited()) {
        reset(*stream, code, Outcome::peer_gone);
    } else {
        http2::append_reset(replies(), id, code);
    }
    return spend(tolerance_.resets);
}

bool Http2Connection::spend(http2::Allowance& allowance) {
    return allowance.take(now_.instant) || fault(ErrorCode::enhance_your_calm);
}

/// RFC 9113 6.3. The priority is ignored (RFC 9113 5.3.2), but the form is checked.
bool Http2Connection::take_priority(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t priority_bytes = 5;
    if (head.stream == 0) return fault(ErrorCode::protocol_error);
    if (payload.size() != priority_bytes)
        return is_idle(head.stream) ? fault(ErrorCode::frame_size_error)
                                    : stream_fault(head.stream, ErrorCode::frame_size_error);
    const bool is_of_itself =
        (http2::read_number(payload.substr(0, 4)) & http2::stream_id_max) == head.stream;
    if (is_of_itself) return fault(ErrorCode::protocol_error);
    return spend(tolerance_.idle_frames);
}

bool Http2Connection::take_reset(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t reset_bytes = 4;
    if (head.stream == 0 || is_idle(head.stream)) return fault(ErrorCode::protocol_error);
    if (payload.size() != reset_bytes) return fault(ErrorCode::frame_size_error);
    if (Stream* const stream = streams_.find(head.stream);
        stream != nullptr && stream->is_awaited()) {
        stream->peer_ended = true;
        end_stream(*stream, Outcome::peer_gone);
    }
    return spend(tolerance_.resets);
}

bool Http2Connection::take_settings(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t setting_bytes = 6;
    if (head.stream != 0) return fault(ErrorCode::protocol_error);
    if (head.has(flag::ack) ? !payload.empty() : payload.size() % setting_bytes != 0)
        return fault(ErrorCode::frame_size_error);
    if (head.has(flag::ack)) return spend(tolerance_.idle_frames);
    for (; !payload.empty(); payload.remove_prefix(setting_bytes)) {
        const auto setting = static_cast<Setting>(http2::read_number(payload.substr(0, 2)));
        if (!apply(setting, http2::read_number(payload.substr(2, 4)))) return false;
    }
    http2::append_settings_ack(replies());
    return spend(tolerance_.idle_frames);
}

bool Http2Connection::apply(Setting setting, std::uint32_t value) {
    const std::int64_t first_window = peer_.first_window();
    if (const auto error = peer_.apply(setting, value)) return fault(*error);
    return move_send_windows(peer_.first_window() - first_window);
}

/// RFC 9113 6.9.2: windows may become negative.
bool Http2Connection::move_send_windows(std::int64_t change) {
    if (change == 0) return true;
    for (const auto& stream : streams_) {
        stream->send_window += change;
        if (stream->send_window > http2::window_max) return fault(ErrorCode::flow_control_error);
        if (stream->send_window > 0 && stream->is_awaited()) queue(*stream);
    }
    return true;
}

bool Http2Connection::take_ping(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t ping_bytes = 8;
    if (head.stream != 0) return fault(ErrorCode::protocol_error);
    if (payload.size() != ping_bytes) return fault(ErrorCode::frame_size_error);
    if (!head.has(flag::ack)) {
        http2::append_ping(replies(), flag::ack, payload);
    } else if (goaway_.hears(payload)) {
        send_final_goaway();  // all requests from before the first GOAWAY have come
    }
    return spend(tolerance_.idle_frames);
}

/// RFC 9113 6.8: GOAWAY concerns streams that this side would open. The peer may close at any time.
bool Http2Connection::take_goaway(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t goaway_bytes_min = 8;
    if (head.stream != 0) return fault(ErrorCode::protocol_error);
    if (payload.size() < goaway_bytes_min) return fault(ErrorCode::frame_size_error);
    return spend(tolerance_.idle_frames);
}

bool Http2Connection::take_window(const FrameHead& head, std::string_view payload) {
    if (payload.size() != 4) return fault(ErrorCode::frame_size_error);
    const std::uint32_t bytes = http2::read_number(payload) & http2::stream_id_max;
    if (head.stream == 0) {
        send_window_ += bytes;
        if (bytes == 0) return fault(ErrorCode::protocol_error);
        return send_window_ <= http2::window_max || fault(ErrorCode::flow_control_error);
    }
    if (is_idle(head.stream)) return fault(ErrorCode::protocol_error);
    if (bytes == 0) return stream_fault(head.stream, ErrorCode::protocol_error);
    Stream* const stream = streams_.find(head.stream);
    if (stream == nullptr || !stream->is_awaited()) return true;
    stream->send_window += bytes;
    if (stream->send_window > http2::window_max)
        return stream_fault(head.stream, ErrorCode::flow_control_error);
    if (stream->send_window > 0) queue(*stream);
    return true;
}

/// RFC 9218 7.1. An update for a stream that is not open yet is ignored.
bool Http2Connection::take_priority_update(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t id_bytes = 4;
    if (head.stream != 0) return fault(ErrorCode::protocol_error);
    if (payload.size() < id_bytes) return fault(ErrorCode::frame_size_error);
    const StreamId id = http2::read_number(payload.substr(0, id_bytes)) & http2::stream_id_max;
    if (id == 0) return fault(ErrorCode::protocol_error);
    if (Stream* const stream = streams_.find(id))
        stream->priority = http2::read_priority(payload.substr(id_bytes));
    return spend(tolerance_.idle_frames);
}

}  // namespace weir::http
