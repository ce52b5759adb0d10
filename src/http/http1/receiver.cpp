#include "http/http1/receiver.h"

#include <algorithm>

#include "http/http1/exchange.h"
#include "http/http1/retained.h"
#include "http/kept_input.h"
#include "http/pace.h"

namespace weir::http::http1 {
namespace {

void begin_request(Session& session, RequestSlot& request, Now now) {
    session.input.remove_prefix(request.head_size());
    request.interpret(session.origin, ++session.requests);
    if (session.heeds_requests) session.note_request();
    session.on<Event::request_read>(now);
    if (request.framing.fault != Fault::none) refuse(session, request.framing.fault, now);
}

/// False at the end of the content, good or bad.
bool read_sized(Session& session, Now now) {
    Incoming& incoming = *session.retained->incoming;
    const std::string_view data = session.input.substr(0, incoming.left);
    session.input.remove_prefix(data.size());
    incoming.left -= data.size();
    if (!deliver(session, data, now)) return false;
    if (incoming.left != 0) return true;
    end_content(session, {}, now);
    return false;
}

bool read_chunked(Session& session, Now now) {
    ChunkedDecoder& chunks = session.retained->incoming->chunks;
    const auto step = chunks.decode(session.input, session.workspace.limits);
    session.input.remove_prefix(step.consumed);
    switch (step.result) {
        case ChunkedDecoder::Result::more: return true;
        case ChunkedDecoder::Result::data: return deliver(session, step.data, now);
        case ChunkedDecoder::Result::fault: refuse(session, step.fault, now); return false;
        case ChunkedDecoder::Result::complete:
            end_content(session, chunks.take_trailers(), now);
            return false;
    }
    return false;
}

/// Waits for more input, or for the sink.
void await_content(Session& session, Now now) {
    if (session.input_ended) return session.close();
    if (session.phase == Phase::paused || !session.output().empty()) return session.rest(now);
    const ContentIn& content = session.retained->incoming->content;
    const Instant due =
        content_due(session.workspace.timeouts, content.began(), content.received());
    session.on<Event::waits>(now, std::min(due, session.wake_at()));
}

}  // namespace

void take_in(Session& session, std::string_view bytes) {
    if (session.input.empty())
        session.input = bytes;
    else
        add_input(session.input, session.retain().input, bytes);
}

[[gnu::flatten]] void receive(Session& session, std::string_view bytes, Now now) {
    take_in(session, bytes);
    if (session.phase <= Phase::head) [[likely]]
        return read_head(session, now);
    session.phase == Phase::content ? read_content(session, now) : session.on<Event::held>(now);
}

void end_input(Session& session, Now now) {
    if (session.ends_with_peer()) return session.cut(Outcome::peer_gone, now);
    session.input_ended = true;
    if (session.ending == Ending::none) session.ending = Ending::close;
    session.on<Event::held>(now);
}

[[gnu::flatten]] void read_head(Session& session, Now now) {
    if (session.output().size() >= session.workspace.limits.pipelined_output_bytes_max)
        return session.on<Event::unsent>(now);
    RequestSlot& request = session.slot();
    if (session.phase == Phase::idle) {
        request.reset();
        request.began = now.instant;
    }
    switch (request.parse(session.input, session.workspace.limits)) {
        case HeadParser::Result::complete: return begin_request(session, request, now);
        case HeadParser::Result::fault: return refuse(session, request.parser.fault(), now);
        case HeadParser::Result::more: break;
    }
    if (session.phase == Phase::idle) session.on<Event::head_begun>(now);
    session.keep_slot();
    keep_input(session.input, session.retain().input);
    session.charge();
    session.output().empty() ? await_head(session) : session.on<Event::unsent>(now);
}

void await_head(Session& session) noexcept {
    session.on<Event::waits>({.instant = session.slot().began, .unix_seconds = 0});
}

/// A response that was rendered before the server stopped did not tell the peer that the connection
/// closes, so the next request may be on its way.
[[gnu::flatten]] void await_request(Session& session, Now now) noexcept {
    session.retained.reset();
    if (!session.retiring) return session.on<Event::waits>(now);
    session.on<Event::retired>(now, now.instant + session.workspace.timeouts.last_request);
}

void read_content(Session& session, Now now) {
    const bool sized = session.slot().framing.content == Framing::Content::sized;
    for (auto going = Going::reads_on; going == Going::reads_on;) {
        while (!session.input.empty() && session.phase == Phase::content)
            if (!(sized ? read_sized(session, now) : read_chunked(session, now))) return;
        if (session.phase != Phase::paused || !session.has_continuation()) break;
        going = poll_continuation(session, now);
        if (going == Going::moved_on) return;
    }
    await_content(session, now);
}

bool skip_content(Session& session) {
    const Framing& framing = session.slot().framing;
    if (framing.content == Framing::Content::sized) {
        if (framing.content_length > session.input.size()) return false;
        session.input.remove_prefix(framing.content_length);
        return true;
    }
    ChunkedDecoder chunks;
    while (!session.input.empty()) {
        const auto step = chunks.decode(session.input, session.workspace.limits);
        session.input.remove_prefix(step.consumed);
        if (step.result == ChunkedDecoder::Result::complete) return true;
        if (step.result == ChunkedDecoder::Result::fault) return false;
    }
    return false;
}

}  // namespace weir::http::http1
