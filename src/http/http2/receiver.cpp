#include "http/http2/receiver.h"

#include "http/hpack/field_section.h"
#include "http/http2/exchange.h"

namespace weir::http::http2 {

void Receiver::send_settings() {
    const Limits& limits = session_.workspace.limits;
    append_settings(session_.replies(), limits.streams_max, limits.head_bytes_max);
}

void Receiver::begin() {
    const std::int32_t more = session_.bounds.connection_window - first_window;
    append_window_update(session_.replies(), 0, static_cast<std::uint32_t>(more));
    goaway_.repeat(session_.replies());
}

/// RFC 9113 5.4.1. Always false.
bool Receiver::fault(ErrorCode code) noexcept {
    broken_rule_ = code;
    return false;
}

/// RFC 9113 5.4.2. A reset that the peer has caused counts like a reset of its own.
bool Receiver::stream_fault(StreamId id, ErrorCode code) {
    if (Stream* const stream = session_.find_awaited(id)) {
        session_.reset(*stream, code, Outcome::peer_gone);
    } else {
        append_reset(session_.replies(), id, code);
    }
    return spend(session_.tolerance.resets);
}

bool Receiver::spend(Allowance& allowance) {
    return allowance.take(session_.now.instant) || fault(ErrorCode::enhance_your_calm);
}

// ---- content ----

/// RFC 9113 6.1. Padding counts towards the windows, and is consumed at once.
bool Receiver::begin_data(const FrameHead& head, std::size_t framing) {
    if (!is_data_due(head)) return false;
    const bool is_empty = head.size == framing && !head.has(flag::end_stream);
    if (is_empty && !spend(session_.tolerance.idle_frames)) return false;
    if (framing == 0) return true;
    Stream* const stream = session_.find_awaited(head.stream);
    stream != nullptr ? session_.grant(*stream, framing) : session_.grant(framing);
    return true;
}

/// Checks the stream and both windows. False if the frame ended the connection.
bool Receiver::is_data_due(const FrameHead& head) {
    if (is_idle(head.stream)) return fault(ErrorCode::protocol_error);
    if (!session_.receive_window.take(head.size)) return fault(ErrorCode::flow_control_error);
    Stream* const stream = session_.streams.find(head.stream);
    if (stream == nullptr)
        return session_.closed.find(head.stream) == ClosedStreams::End::was_reset ||
               fault(ErrorCode::stream_closed);
    if (!stream->is_awaited()) return !stream->peer_ended || fault(ErrorCode::stream_closed);
    if (stream->peer_ended) return stream_fault(head.stream, ErrorCode::stream_closed);
    return stream->receive_window.take(head.size) ||
           stream_fault(head.stream, ErrorCode::flow_control_error);
}

bool Receiver::take_content(StreamId id, std::string_view bytes) {
    session_.tolerance.payload += bytes.size();
    Stream* const stream = session_.find_awaited(id);
    if (stream != nullptr) stream->content_in.count(bytes.size());
    const bool is_wrong = stream != nullptr && stream->has_wrong_length();
    if (stream == nullptr || is_wrong) session_.grant(bytes.size());
    if (is_wrong) return stream_fault(id, ErrorCode::protocol_error);
    if (stream != nullptr) Exchange{session_, *stream}.take_content(bytes);
    return true;
}

bool Receiver::end_of_content(StreamId id) {
    Stream* const stream = session_.find_awaited(id);
    if (stream == nullptr) return true;
    stream->peer_ended = true;
    if (stream->has_wrong_length()) return stream_fault(id, ErrorCode::protocol_error);
    Exchange{session_, *stream}.end_of_content();
    return true;
}

// ---- other frames ----

/// False if the frame ended the connection.
bool Receiver::take_frame(const FrameHead& head, std::string_view payload) {
    switch (head.type) {
        case FrameType::priority: return take_priority(head, payload);
        case FrameType::rst_stream: return take_reset(head, payload);
        case FrameType::settings: return take_settings(head, payload);
        case FrameType::push_promise: return fault(ErrorCode::protocol_error);
        case FrameType::ping: return take_ping(head, payload);
        case FrameType::goaway: return take_goaway(head, payload);
        case FrameType::window_update: return take_window(head, payload);
        case FrameType::priority_update: return take_priority_update(head, payload);
        default: return spend(session_.tolerance.idle_frames);  // RFC 9113 5.5
    }
}

/// RFC 9113 6.3. The priority is ignored (RFC 9113 5.3.2), but the form is checked.
bool Receiver::take_priority(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t priority_bytes = 5;
    if (head.stream == 0) return fault(ErrorCode::protocol_error);
    if (payload.size() != priority_bytes)
        return is_idle(head.stream) ? fault(ErrorCode::frame_size_error)
                                    : stream_fault(head.stream, ErrorCode::frame_size_error);
    const bool is_of_itself = (read_number(payload.substr(0, 4)) & stream_id_max) == head.stream;
    if (is_of_itself) return fault(ErrorCode::protocol_error);
    return spend(session_.tolerance.idle_frames);
}

bool Receiver::take_reset(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t reset_bytes = 4;
    if (head.stream == 0 || is_idle(head.stream)) return fault(ErrorCode::protocol_error);
    if (payload.size() != reset_bytes) return fault(ErrorCode::frame_size_error);
    if (Stream* const stream = session_.find_awaited(head.stream)) {
        stream->peer_ended = true;
        session_.end(*stream, Outcome::peer_gone);
    }
    return spend(session_.tolerance.resets);
}

bool Receiver::take_settings(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t setting_bytes = 6;
    if (head.stream != 0) return fault(ErrorCode::protocol_error);
    if (head.has(flag::ack) ? !payload.empty() : payload.size() % setting_bytes != 0)
        return fault(ErrorCode::frame_size_error);
    if (head.has(flag::ack)) return spend(session_.tolerance.idle_frames);
    for (; !payload.empty(); payload.remove_prefix(setting_bytes)) {
        const auto setting = static_cast<Setting>(read_number(payload.substr(0, 2)));
        if (!apply(setting, read_number(payload.substr(2, 4)))) return false;
    }
    append_settings_ack(session_.replies());
    return spend(session_.tolerance.idle_frames);
}

bool Receiver::apply(Setting setting, std::uint32_t value) {
    const std::int64_t window = session_.peer.first_window();
    if (const auto error = session_.peer.apply(setting, value)) return fault(*error);
    return move_send_windows(session_.peer.first_window() - window);
}

/// RFC 9113 6.9.2: windows may become negative.
bool Receiver::move_send_windows(std::int64_t change) {
    if (change == 0) return true;
    for (const auto& stream : session_.streams) {
        stream->send_window += change;
        if (stream->send_window > window_max) return fault(ErrorCode::flow_control_error);
        if (stream->send_window > 0 && stream->is_awaited()) session_.queue(*stream);
    }
    return true;
}

bool Receiver::take_ping(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t ping_bytes = 8;
    if (head.stream != 0) return fault(ErrorCode::protocol_error);
    if (payload.size() != ping_bytes) return fault(ErrorCode::frame_size_error);
    if (!head.has(flag::ack)) {
        append_ping(session_.replies(), flag::ack, payload);
    } else if (goaway_.hears(payload)) {
        // All requests from before the first GOAWAY have come.
        goaway_.finish(last_stream_, &session_.replies());
    }
    return spend(session_.tolerance.idle_frames);
}

/// RFC 9113 6.8: GOAWAY concerns streams that this side would open. The peer may close at any time.
bool Receiver::take_goaway(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t goaway_bytes_min = 8;
    if (head.stream != 0) return fault(ErrorCode::protocol_error);
    if (payload.size() < goaway_bytes_min) return fault(ErrorCode::frame_size_error);
    return spend(session_.tolerance.idle_frames);
}

bool Receiver::take_window(const FrameHead& head, std::string_view payload) {
    if (payload.size() != 4) return fault(ErrorCode::frame_size_error);
    const std::uint32_t bytes = read_number(payload) & stream_id_max;
    if (head.stream == 0) {
        session_.send_window += bytes;
        if (bytes == 0) return fault(ErrorCode::protocol_error);
        return session_.send_window <= window_max || fault(ErrorCode::flow_control_error);
    }
    if (is_idle(head.stream)) return fault(ErrorCode::protocol_error);
    if (bytes == 0) return stream_fault(head.stream, ErrorCode::protocol_error);
    Stream* const stream = session_.find_awaited(head.stream);
    if (stream == nullptr) return true;
    stream->send_window += bytes;
    if (stream->send_window > window_max)
        return stream_fault(head.stream, ErrorCode::flow_control_error);
    if (stream->send_window > 0) session_.queue(*stream);
    return true;
}

/// RFC 9218 7.1. An update for a stream that is not open yet is ignored.
bool Receiver::take_priority_update(const FrameHead& head, std::string_view payload) {
    constexpr std::size_t id_bytes = 4;
    if (head.stream != 0) return fault(ErrorCode::protocol_error);
    if (payload.size() < id_bytes) return fault(ErrorCode::frame_size_error);
    const StreamId id = read_number(payload.substr(0, id_bytes)) & stream_id_max;
    if (id == 0) return fault(ErrorCode::protocol_error);
    if (Stream* const stream = session_.streams.find(id))
        stream->priority = read_priority(payload.substr(id_bytes));
    return spend(session_.tolerance.idle_frames);
}

// ---- fields ----

/// The fields of a stream. They are decoded in any case, since they change the table.
bool Receiver::take_section(StreamId id, bool ends, std::string_view block) {
    session_.tolerance.payload += block.size();
    if (id > last_stream_) return take_request_section(id, ends, block);
    if (Stream* const stream = session_.streams.find(id)) {
        if (stream->is_awaited()) return take_trailer_section(*stream, ends, block);
        return stream->peer_ended ? fault(ErrorCode::stream_closed) : skip_section(block);
    }
    switch (session_.closed.find(id)) {
        case ClosedStreams::End::was_reset: return skip_section(block);
        case ClosedStreams::End::peer_ended: return fault(ErrorCode::stream_closed);
        case ClosedStreams::End::unknown: break;
    }
    return fault(ErrorCode::protocol_error);  // RFC 9113 5.1.1: numbers grow
}

bool Receiver::skip_section(std::string_view block) {
    NoSection nothing;
    return decoder_.decode(block, nothing) || fault(ErrorCode::compression_error);
}

bool Receiver::take_request_section(StreamId id, bool ends, std::string_view block) {
    using End = ClosedStreams::End;
    last_stream_ = id;
    if (goaway_.is_final() || session_.streams.size() >= session_.workspace.limits.streams_max) {
        session_.closed.add(id, ends ? End::peer_ended : End::was_reset);
        if (!skip_section(block)) return false;
        return goaway_.is_final() || stream_fault(id, ErrorCode::refused_stream);
    }
    Stream& stream = session_.streams.add(id);
    ++session_.requests;
    stream.slot.began = session_.now.instant;
    stream.send_window = session_.peer.first_window();
    stream.receive_window = ReceiveWindow{session_.bounds.stream_window};
    stream.peer_ended = ends;
    return begin_request(stream, ends, block);
}

bool Receiver::begin_request(Stream& stream, bool ends, std::string_view block) {
    using Result = FieldSection::Result;
    FieldSection section{stream.head, stream.pseudo, session_.workspace.limits};
    if (!decoder_.decode(block, section)) return fault(ErrorCode::compression_error);
    stream.priority = section.priority();
    const Result result = section.finish(stream.slot, session_.origin, stream.id, ends);
    stream.is_known = result == Result::good;
    stream.may_tunnel = section.is_extended_connect();
    if (result == Result::malformed) return stream_fault(stream.id, ErrorCode::protocol_error);
    if (result == Result::fault) {
        Exchange{session_, stream}.refuse(stream.slot.framing.fault);
        return true;
    }
    const Request& request = stream.slot.request();
    if (request.has(FieldName::content_length) && !stream.may_tunnel)
        stream.announced = stream.slot.framing.content_length;
    session_.on<Event::request_read>(stream);
    session_.ready.push_back(stream.id);
    return true;
}

/// RFC 9113 8.1: trailers end the request.
bool Receiver::take_trailer_section(Stream& stream, bool ends, std::string_view block) {
    TrailerSection section{session_.workspace.limits};
    if (!decoder_.decode(block, section)) return fault(ErrorCode::compression_error);
    if (stream.peer_ended) return stream_fault(stream.id, ErrorCode::stream_closed);
    if (!ends || section.is_malformed()) return stream_fault(stream.id, ErrorCode::protocol_error);
    if (section.is_too_long() && !stream.has_answer()) {
        stream.peer_ended = true;
        Exchange{session_, stream}.refuse(Fault::trailers_too_long);
        return true;
    }
    stream.trailers = section.take_lines();
    return end_of_content(stream.id);
}

}  // namespace weir::http::http2
