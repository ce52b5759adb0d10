// Http2Connection: from bytes to frames.

#include <algorithm>
#include <utility>

#include "http/http2/http2_connection.h"
#include "http/kept_input.h"

namespace weir::http {

namespace flag = http2::flag;
using http2::FrameType;
using http2::Setting;

void Http2Connection::do_receive(std::string_view bytes, Now now) {
    now_ = now;
    if (closing_) {
        drain_deadline_ = never;
        return update_deadline();
    }
    tolerance_.received += bytes.size();
    if (input_.empty()) {
        input_ = bytes;
    } else {  // behind a frame that has begun
        add_input(input_, kept_input_, bytes);
    }
    read_input();
    if (tolerance_.has_too_much_overhead(bounds_)) end_with(ErrorCode::enhance_your_calm);
    advance(now);
}

void Http2Connection::do_receive_end(Now now) {
    now_ = now;
    input_ended_ = true;
    if (!closing_) end_what_waits_for_peer();
    advance(now);
}

void Http2Connection::read_input() {
    if (!preface_read_ && !read_preface()) return;
    while (!input_.empty() && !closing_) {
        if (data_.is_open()) {
            read_content();
        } else if (!read_frame()) {
            return;
        }
    }
}

/// False if the preface is incomplete, or is none.
bool Http2Connection::read_preface() {
    const std::size_t size = std::min(input_.size(), http2::preface.size());
    if (input_.substr(0, size) != http2::preface.substr(0, size)) {
        preface_read_ = true;  // or no GOAWAY would be sent
        http2::append_settings(replies(), workspace_.limits.streams_max,
                               workspace_.limits.head_bytes_max);
        return fault(ErrorCode::protocol_error);
    }
    if (size < http2::preface.size()) return false;
    input_.remove_prefix(size);
    preface_read_ = true;
    head_deadline_ = never;
    http2::append_settings(replies(), workspace_.limits.streams_max,
                           workspace_.limits.head_bytes_max);
    http2::append_window_update(
        replies(), 0, static_cast<std::uint32_t>(bounds_.connection_window - http2::first_window));
    if (goaway_begun_) http2::append_goaway(replies(), http2::stream_id_max, ErrorCode::no_error);
    return true;
}

/// False if the frame is incomplete, or ended the connection.
bool Http2Connection::read_frame() {
    if (input_.size() < http2::frame_head_bytes) return false;
    const FrameHead head = http2::read_frame_head(input_);
    if (head.size > http2::frame_bytes_max) return fault(ErrorCode::frame_size_error);
    if (!settings_read_ && (head.type != FrameType::settings || head.has(flag::ack)))
        return fault(ErrorCode::protocol_error);
    if (section_.is_open() && head.type != FrameType::continuation)
        return fault(ErrorCode::protocol_error);
    if (head.type == FrameType::data) return read_data_frame(head);
    if (input_.size() < http2::frame_head_bytes + head.size) return false;
    const std::string_view payload = input_.substr(http2::frame_head_bytes, head.size);
    head_deadline_ = never;
    if (!take_frame(head, payload)) return false;
    input_.remove_prefix(http2::frame_head_bytes + head.size);
    return true;
}

/// RFC 9113 6.1. The content is passed on as it comes.
bool Http2Connection::read_data_frame(const FrameHead& head) {
    const std::size_t begin = http2::frame_head_bytes + (head.has(flag::padded) ? 1 : 0);
    if (input_.size() < begin) return false;
    const std::size_t padding =
        head.has(flag::padded) ? static_cast<unsigned char>(input_[begin - 1]) : 0;
    if (head.stream == 0) return fault(ErrorCode::protocol_error);
    if (head.has(flag::padded) && padding >= head.size) return fault(ErrorCode::protocol_error);
    if (!is_data_due(head)) return false;
    head_deadline_ = never;
    input_.remove_prefix(begin);
    const std::size_t framing = padding + begin - http2::frame_head_bytes;
    data_ = {.stream = head.stream,
             .content_left = static_cast<std::uint32_t>(head.size - framing),
             .padding_left = static_cast<std::uint32_t>(padding),
             .ends_stream = head.has(flag::end_stream)};
    if (data_.content_left == 0 && !data_.ends_stream && !spend(tolerance_.idle_frames))
        return false;
    grant_padding(head.stream, framing);
    if (head.size == framing) read_content();  // there may be no more input
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

void Http2Connection::read_content() {
    const std::string_view content = data_.take_content(input_);
    tolerance_.payload += content.size();
    if (!content.empty()) take_content(data_.stream, content);
    if (data_.content_left == 0) data_.skip_padding(input_);
    if (!data_.is_whole()) return;
    const StreamId stream = std::exchange(data_.stream, 0);
    if (data_.ends_stream) end_of_content(stream);
}

/// False if the frame ended the connection.
bool Http2Connection::take_frame(const FrameHead& head, std::string_view payload) {
    switch (head.type) {
        case FrameType::headers: return take_headers(head, payload);
        case FrameType::continuation: return take_continuation(head, payload);
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
    settings_read_ = true;
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
    } else if (goaway_begun_ && payload == goaway_ping) {
        is_heard_ = true;
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
