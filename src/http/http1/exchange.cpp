#include "http/http1/exchange.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "http/answer/dropped.h"
#include "http/http1/receiver.h"
#include "http/http1/retained.h"
#include "http/http1/sender.h"
#include "http/http1/tunnel_phase.h"

namespace weir::http::http1 {
namespace {

/// Responds before the end of the content. The rest of the content is not used.
void answer_early(Session& session, Response&& response, Now now) {
    session.retained->incoming->content.cut();
    session.retained->incoming.reset();
    session.ending = Ending::linger;
    session.on<Event::request_read>(now);
    session.take();
    answer(session, std::move(response), now);
}

// ---- the content ----

/// Without a sink the content is collected. The sink changes hands after all that may throw.
[[gnu::noinline]] void begin_content(Session& session, Reply&& reply, Now now) {
    // A handler that asks for content without there being any, or asks twice, would run for ever.
    if (!session.slot().request().content_pending())
        return answer(session, error_response(Status::internal_server_error), now);
    auto* const stream = std::get_if<StreamContent>(&reply);
    const bool has_sink = stream != nullptr && stream->sink != nullptr;
    const Framing framing = session.slot().framing;
    const std::uint64_t bytes_max = content_bytes_max(reply, session.workspace.limits);
    if (framing.content_length > bytes_max) {
        drop(std::move(reply), Outcome::stopped);
        return refuse(session, Fault::content_too_long, now);
    }
    session.on<Event::content_wanted>(now);
    session.keep_slot();
    Incoming& incoming = session.retained->incoming.emplace();
    incoming.content.begin(has_sink ? std::move(stream->sink) : nullptr, bytes_max, now.instant);
    incoming.left = framing.content_length;
    // RFC 9110 10.1.1: not needed if the content is already coming.
    if (framing.expects_continue && session.input.empty())
        session.output().append("HTTP/1.1 100 Continue\r\n\r\n");
    read_content(session, now);
}

// ---- continuations: the request goes on after its handler has returned ----

/// The continuation's time counts from the handler's return, or from the last content.
void renew_answer_time(Session& session, Now now) noexcept {
    if (session.has_continuation())
        session.retained->answer_by =
            exchange::due(session.workspace.timeouts, Timer::handler, now.instant);
}

[[gnu::noinline]] void start_continuation(Session& session, Later&& later, Now now) {
    if (!later.continuation) return session.rest(now);
    session.retain().continuation = std::move(later.continuation);
    renew_answer_time(session, now);
    sends(session.step()) ? session.rest(now) : go_on(session, now);
}

Going follow(Session& session, Reply&& reply, Now now) {
    if (auto* response = std::get_if<Response>(&reply)) {
        const auto finished =
            std::move(session.retained->continuation);  // destroyed after its response was taken
        session.phase == Phase::handling ? answer(session, std::move(*response), now)
                                         : answer_early(session, std::move(*response), now);
        return Going::moved_on;
    }
    if (std::holds_alternative<Later>(reply)) return Going::waits;
    if (session.phase == Phase::handling) {
        begin_content(session, std::move(reply), now);
        return Going::moved_on;
    }
    if (session.phase != Phase::paused) return Going::waits;
    session.on<Event::woken>(now);
    return Going::reads_on;
}

void append_interim_line(OutputBuffer& output, Status status) {
    output.append("HTTP/1.1 ");
    output.append(std::to_string(code(status)));
    output.append(" ");
    output.append(reason(status));
    output.append("\r\n");
}

/// Writes the hints, if the peer may get them. The continuation goes on when they are sent.
bool tell(Session& session, const EarlyHints& hints) {
    if (session.slot().request().minor_version() == 0) return false;  // RFC 9110 15.2
    OutputBuffer& output = session.output();
    append_interim_line(output, hints.status);
    output.append(hints.lines);
    output.append("\r\n");
    return true;
}

Response refusal_of(Session& session, Fault fault, bool has_head) {
    if (has_head && fault != Fault::overloaded)
        return session.user_code().refusal(
            fault, session.has_continuation() ? session.retained->continuation.get() : nullptr);
    const FaultAnswer& said = answer_to(fault);
    Response response = error_response(said.status, said.text);
    // RFC 9110 10.2.3. The next connection that closes makes a place.
    if (fault == Fault::overloaded) response.add("Retry-After", "1");
    return response;
}

}  // namespace

// ---- the events ----

void respond(Session& session, Reply&& reply, Now now) {
    const bool is_sending = session.retained && !session.retained->output.empty();
    if (auto* response = std::get_if<Response>(&reply); response && !is_sending) [[likely]]
        return answer(session, std::move(*response), now);
    if (auto* later = std::get_if<Later>(&reply))
        return start_continuation(session, std::move(*later), now);
    if (is_sending)  // bytes that are being sent must not move
        session.retained->early_reply = std::move(reply);
    else
        begin_content(session, std::move(reply), now);
}

void wake(Session& session, Now now) {
    if (session.has_continuation()) return go_on(session, now);
    if (session.is_tunnel()) return go_on_in_tunnel(session, now);
    if (session.phase != Phase::paused && session.phase != Phase::stalled) return;
    session.on<Event::woken>(now);
    if (sends(session.step())) return;
    session.phase == Phase::content ? read_content(session, now) : pull(session, now);
}

void refuse(Session& session, Fault fault, Now now) {
    const bool has_head = session.phase > Phase::head;
    Response response = refusal_of(session, fault, has_head);
    session.cut_continuation();
    if (session.retained && session.retained->incoming) session.retained->incoming->content.cut();
    session.ending = Ending::linger;
    send_response(session, std::move(response), has_head ? &session.slot().request() : nullptr,
                  now);
}

void go_on(Session& session, Now now) {
    if (sends(session.step())) return;
    switch (poll_continuation(session, now)) {
        case Going::moved_on: return;
        case Going::reads_on: return read_content(session, now);
        case Going::waits:
            session.charge();  // not every engine turns to others between two calls
            return session.phase == Phase::content ? read_content(session, now) : session.rest(now);
    }
}

Going poll_continuation(Session& session, Now now) {
    Reply reply = session.user_code().resume(*session.retained->continuation);
    while (const auto* hints = std::get_if<EarlyHints>(&reply)) {
        if (tell(session, *hints)) return Going::waits;
        reply = session.user_code().resume(*session.retained->continuation);
    }
    return follow(session, std::move(reply), now);
}

bool is_resumed(Session& session, Now now) {
    if (now.instant < session.wake_at()) return false;
    if (session.outgoing) {
        session.on<Event::woken>(now);
        pull(session, now);
        return true;
    }
    if (session.phase != Phase::content && now.instant >= session.retained->answer_by) return false;
    go_on(session, now);
    return true;
}

bool deliver(Session& session, std::string_view data, Now now) {
    ContentIn& content = session.retained->incoming->content;
    content.count(data.size());
    renew_answer_time(session, now);
    switch (content.pass_on(data, session.user_code(), session.slot().content())) {
        case ContentIn::Passed::on:
            if (content.is_collected()) session.charge();
            return true;
        case ContentIn::Passed::paused: session.on<Event::paused>(now); return true;
        case ContentIn::Passed::too_long:
            refuse(session, Fault::content_too_long, now);
            return false;
        case ContentIn::Passed::failed: break;
    }
    session.cut_continuation();
    session.ending = Ending::linger;
    answer(session, error_response(Status::internal_server_error), now);
    return false;
}

void end_content(Session& session, std::string trailers, Now now) {
    session.slot().content_complete(std::move(trailers));
    session.retained->incoming.reset();
    session.on<Event::request_read>(now);
    if (!session.has_continuation()) return;
    renew_answer_time(session, now);
    session.take();
    go_on(session, now);
}

}  // namespace weir::http::http1
