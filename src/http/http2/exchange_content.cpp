// Exchange: the content of the request.

#include <utility>

#include "http/answer/dropped.h"
#include "http/hpack/response_head.h"
#include "http/http2/exchange.h"
#include "http/http2/tunnel_stream.h"
#include "http/pace.h"

namespace weir::http::http2 {

/// Without a sink the content is collected.
void Exchange::begin_content(Reply&& reply) {
    // A handler that asks for content without there being any, or asks twice, would run for ever.
    if (!stream_.slot.request().content_pending())
        return answer(error_response(Status::internal_server_error));
    const std::uint64_t bytes_max = content_bytes_max(reply, session_.workspace.limits);
    if (stream_.announced > bytes_max) {
        drop(std::move(reply), Outcome::stopped);
        return refuse(Fault::content_too_long);
    }
    session_.on<Event::content_wanted>(stream_);
    auto* const stream = std::get_if<StreamContent>(&reply);
    stream_.content_in.begin(stream != nullptr ? std::move(stream->sink) : nullptr, bytes_max,
                             session_.now.instant);
    // RFC 9110 10.1.1: not needed if the content is already coming.
    if (stream_.slot.framing.expects_continue && stream_.content_in.received() == 0 &&
        !stream_.peer_ended)
        render_interim(session_.replies(), stream_.id, Status::continue_, {},
                       session_.peer.take_table_update());
    deliver_content();
}

void Exchange::take_content(std::string_view bytes) {
    if (stream_.is_tunnel()) {
        TunnelStream{session_, stream_}.take(bytes);
    } else if (stream_.has_answer()) {
        session_.grant(bytes.size());
    } else if (stream_.phase == Phase::content && stream_.held.empty()) {
        if (pass_on(bytes) && stream_.phase == Phase::content) await_content();
    } else {
        stream_.held += bytes;
    }
}

void Exchange::end_of_content() {
    if (stream_.phase == Phase::draining) return session_.end(stream_, Outcome::sent);
    if (stream_.is_tunnel()) return TunnelStream{session_, stream_}.end_input();
    deliver_content();
}

void Exchange::deliver_content() {
    if (!stream_.reads_content()) return;
    if (!stream_.held.empty() && stream_.phase == Phase::content) {
        const std::string held = std::exchange(stream_.held, {});
        if (!pass_on(held)) return;
    }
    if (!stream_.peer_ended || !stream_.held.empty()) {
        if (stream_.phase == Phase::content) await_content();
        return;
    }
    stream_.content_in.end();
    stream_.slot.content_complete(std::exchange(stream_.trailers, {}));
    session_.on<Event::request_read>(stream_);
    if (!stream_.continuation) return session_.ready.push_back(stream_.id);
    session_.on<Event::taken>(stream_);
    go_on();
}

/// False if the stream has its response.
bool Exchange::pass_on(std::string_view bytes) {
    const auto passed =
        stream_.content_in.pass_on(bytes, session_.user_code(stream_), stream_.slot.content());
    session_.grant(stream_, bytes.size());
    switch (passed) {
        case ContentIn::Passed::on: return true;
        case ContentIn::Passed::paused: return pause();
        case ContentIn::Passed::too_long: refuse(Fault::content_too_long); return false;
        case ContentIn::Passed::failed: break;
    }
    answer(error_response(Status::internal_server_error));
    return false;
}

/// Waits until the sink wants more. The continuation may have been waiting for that. False if the
/// stream has its response.
bool Exchange::pause() {
    session_.on<Event::paused>(stream_);
    session_.on<Event::waits>(stream_);
    if (stream_.continuation) go_on();
    return stream_.reads_content();
}

/// The sink takes content again, if it paused.
void Exchange::resume_content() {
    if (stream_.phase != Phase::paused) return;
    session_.on<Event::woken>(stream_);
    deliver_content();
}

/// The pause between two parts is limited, and so is the mean rate.
void Exchange::await_content() noexcept {
    const ContentIn& content = stream_.content_in;
    session_.on<Event::waits>(
        stream_, content_due(session_.workspace.timeouts, content.began(), content.received()));
}

}  // namespace weir::http::http2
