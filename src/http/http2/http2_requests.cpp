// Http2Connection: from fields to requests and their content.

#include <utility>

#include "http/hpack/field_section.h"
#include "http/hpack/response_head.h"
#include "http/http2/http2_connection.h"
#include "http/pace.h"

namespace weir::http {

using http2::ClosedStreams;

/// The fields of a stream. They are decoded in any case, since they change the table.
bool Http2Connection::take_section(StreamId id, bool ends, std::string_view block) {
    tolerance_.payload += block.size();
    if (id > last_stream_) return take_request_section(id, ends, block);
    if (Stream* const stream = streams_.find(id)) {
        if (stream->is_awaited()) return take_trailer_section(*stream, ends, block);
        return stream->peer_ended ? fault(ErrorCode::stream_closed) : skip_section(block);
    }
    switch (closed_.find(id)) {
        case ClosedStreams::End::was_reset: return skip_section(block);
        case ClosedStreams::End::peer_ended: return fault(ErrorCode::stream_closed);
        case ClosedStreams::End::unknown: break;
    }
    return fault(ErrorCode::protocol_error);  // RFC 9113 5.1.1: numbers grow
}

bool Http2Connection::skip_section(std::string_view block) {
    http2::NoSection nothing;
    return decoder_.decode(block, nothing) || fault(ErrorCode::compression_error);
}

bool Http2Connection::take_request_section(StreamId id, bool ends, std::string_view block) {
    last_stream_ = id;
    due_.idle = never;
    if (goaway_.is_final() || streams_.size() >= workspace_.limits.streams_max) {
        closed_.add(id, ends ? ClosedStreams::End::peer_ended : ClosedStreams::End::was_reset);
        if (!skip_section(block)) return false;
        return goaway_.is_final() || stream_fault(id, ErrorCode::refused_stream);
    }
    if (retired_) mark_busy();
    ++requests_;
    Stream& stream = streams_.add(id);
    stream.slot.began = now_.instant;
    stream.send_window = peer_.first_window();
    stream.receive_window = http2::ReceiveWindow{bounds_.stream_window};
    stream.peer_ended = ends;
    return begin_request(stream, ends, block);
}

bool Http2Connection::begin_request(Stream& stream, bool ends, std::string_view block) {
    using Result = http2::FieldSection::Result;
    http2::FieldSection section{stream.head, stream.pseudo, workspace_.limits};
    if (!decoder_.decode(block, section)) return fault(ErrorCode::compression_error);
    stream.priority = section.priority();
    const Result result = section.finish(stream.slot, origin_, stream.id, ends);
    stream.is_known = result == Result::good;
    stream.may_tunnel = section.is_extended_connect();
    if (result == Result::malformed) return stream_fault(stream.id, ErrorCode::protocol_error);
    if (result == Result::fault) {
        refuse(stream, stream.slot.framing.fault);
        return true;
    }
    const Request& request = stream.slot.request();
    if (request.has(FieldName::content_length) && !stream.may_tunnel)
        stream.announced = stream.slot.framing.content_length;
    on<Event::request_read>(stream);
    ready_.push_back(stream.id);
    return true;
}

/// RFC 9113 8.1: trailers end the request.
bool Http2Connection::take_trailer_section(Stream& stream, bool ends, std::string_view block) {
    http2::TrailerSection section{workspace_.limits};
    if (!decoder_.decode(block, section)) return fault(ErrorCode::compression_error);
    if (stream.peer_ended) return stream_fault(stream.id, ErrorCode::stream_closed);
    if (!ends || section.is_malformed()) return stream_fault(stream.id, ErrorCode::protocol_error);
    if (section.is_too_long() && !stream.has_answer()) {
        stream.peer_ended = true;
        refuse(stream, Fault::trailers_too_long);
        return true;
    }
    stream.trailers = section.take_lines();
    end_of_content(stream.id);
    return !closing_;
}

// ---- content ----

/// Without a sink the content is collected.
void Http2Connection::begin_content(Stream& stream, std::unique_ptr<Sink> sink) {
    // A handler that asks for content without there being any, or asks twice, would run for ever.
    if (!stream.slot.request().content_pending())
        return answer(stream, error_response(Status::internal_server_error));
    if (!sink && stream.announced > workspace_.limits.content_bytes_max)
        return refuse(stream, Fault::content_too_long);
    on<Event::content_wanted>(stream);
    stream.content_in.begin(std::move(sink), now_.instant);
    // RFC 9110 10.1.1: not needed if the content is already coming.
    if (stream.slot.framing.expects_continue && stream.content_in.received() == 0 &&
        !stream.peer_ended)
        http2::render_continue(replies(), stream.id, peer_.take_table_update());
    deliver_content(stream);
}

void Http2Connection::take_content(StreamId id, std::string_view bytes) {
    tolerance_.payload += bytes.size();
    Stream* const stream = streams_.find(id);
    if (stream == nullptr || !stream->is_awaited()) return grant(bytes.size());
    stream->content_in.count(bytes.size());
    if (stream->has_wrong_length()) {
        grant(bytes.size());
        stream_fault(id, ErrorCode::protocol_error);
    } else if (stream->is_tunnel()) {
        feed_tunnel(*stream, bytes);
    } else if (stream->has_answer()) {
        grant(bytes.size());
    } else if (stream->phase == Phase::content && stream->held.empty()) {
        if (pass_on(*stream, bytes) && stream->phase == Phase::content) await_content(*stream);
    } else {
        stream->held += bytes;
    }
}

void Http2Connection::end_of_content(StreamId id) {
    Stream* const stream = streams_.find(id);
    if (stream == nullptr || !stream->is_awaited()) return;
    stream->peer_ended = true;
    if (stream->has_wrong_length()) {
        stream_fault(id, ErrorCode::protocol_error);
    } else if (stream->phase == Phase::draining) {
        end_stream(*stream, Outcome::sent);
    } else if (!ends_input_of_tunnel(*stream)) {
        deliver_content(*stream);
    }
}

/// May end the stream.
void Http2Connection::deliver_content(Stream& stream) {
    if (!stream.reads_content()) return;
    if (!stream.held.empty() && stream.phase == Phase::content) {
        const std::string held = std::exchange(stream.held, {});
        if (!pass_on(stream, held)) return;
    }
    if (!stream.peer_ended || !stream.held.empty()) {
        if (stream.phase == Phase::content) await_content(stream);
        return;
    }
    stream.content_in.end();
    stream.slot.content_complete(std::exchange(stream.trailers, {}));
    on<Event::request_read>(stream);
    if (!stream.continuation) return ready_.push_back(stream.id);
    on<Event::taken>(stream);
    go_on(stream);
}

/// False if the stream has its response.
bool Http2Connection::pass_on(Stream& stream, std::string_view bytes) {
    const auto passed = stream.content_in.pass_on(bytes, user_code(stream), stream.slot.content(),
                                                  workspace_.limits.content_bytes_max);
    grant(stream, bytes.size());
    switch (passed) {
        case ContentIn::Passed::on: return true;
        case ContentIn::Passed::paused: return pause(stream);
        case ContentIn::Passed::too_long: refuse(stream, Fault::content_too_long); return false;
        case ContentIn::Passed::failed: break;
    }
    answer(stream, error_response(Status::internal_server_error));
    return false;
}

/// Waits until the sink wants more. The continuation may have been waiting for that. False if the
/// stream has its response.
bool Http2Connection::pause(Stream& stream) {
    on<Event::paused>(stream);
    on<Event::waits>(stream);
    if (stream.continuation) go_on(stream);
    return stream.reads_content();
}

/// The sink takes content again, if it paused.
void Http2Connection::resume_content(Stream& stream) {
    if (stream.phase != Phase::paused) return;
    on<Event::woken>(stream);
    deliver_content(stream);
}

/// The pause between two parts is limited, and so is the mean rate.
void Http2Connection::await_content(Stream& stream) noexcept {
    const ContentIn& content = stream.content_in;
    on<Event::waits>(stream, content_due(workspace_.timeouts, content.began(), content.received()));
}

/// `bytes` were consumed: the peer may send as many again. WINDOW_UPDATE frames grant them in large
/// steps.
void Http2Connection::grant(Stream& stream, std::size_t bytes) {
    const std::uint32_t opened = stream.receive_window.give_back(bytes, bounds_.stream_window);
    if (opened != 0 && !stream.peer_ended)
        http2::append_window_update(replies(), stream.id, opened);
    grant(bytes);
}

void Http2Connection::grant(std::size_t bytes) {
    const std::uint32_t opened = receive_window_.give_back(bytes, bounds_.connection_window);
    if (opened != 0 && !closing_) http2::append_window_update(replies(), 0, opened);
}

/// The peer has shut down its side: incomplete requests stay incomplete.
void Http2Connection::end_what_waits_for_peer() {
    std::vector<StreamId> cut;
    for (const auto& stream : streams_) {
        // Its next turn ends the stream.
        if (stream->timer == Timer::transmit) queue(*stream);
        if (stream->is_awaited() && !stream->peer_ended &&
            (!stream->has_answer() || stream->is_tunnel() || stream->phase == Phase::draining))
            cut.push_back(stream->id);
    }
    for (const StreamId id : cut) end_stream(*streams_.find(id), Outcome::peer_gone);
}

}  // namespace weir::http
