// Receiver: from fields to requests and trailers.

#include "http/hpack/field_section.h"
#include "http/http2/exchange.h"
#include "http/http2/receiver.h"

namespace weir::http::http2 {

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
    ++session_.requests;
    Stream& stream = session_.streams.add(id);
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
