// Exchange: from the request to the response.

#include "http/http2/exchange.h"

#include <algorithm>
#include <utility>

#include "base/troubles.h"
#include "http/answer/dropped.h"
#include "http/hpack/response_head.h"
#include "http/http2/tunnel_stream.h"
#include "http/pace.h"

namespace weir::http::http2 {

void Exchange::respond(Reply&& reply) {
    const bool is_late = stream_.phase != Phase::handling;
    if (auto* later = std::get_if<Later>(&reply); later && !(is_late && later->continuation)) {
        if (!is_late) start_continuation(std::move(*later));
        return;
    }
    stream_.at_handler = false;
    stream_.continuation.reset();  // another thread has responded
    if (is_late) {
        drop(std::move(reply), stream_.is_awaited() ? Outcome::timed_out : Outcome::peer_gone);
        return session_.remove_if_over(stream_);
    }
    if (auto* response = std::get_if<Response>(&reply)) return answer(std::move(*response));
    begin_content(std::move(reply));
}

void Exchange::wake() {
    if (stream_.content && stream_.content->waits_for_wake()) session_.wake_source(stream_);
    stream_.continuation ? go_on() : resume_content();
}

/// The server stops.
void Exchange::retire() {
    stream_.content->retire();
    if (stream_.is_tunnel() || stream_.content->waits_for_wake()) session_.wake_source(stream_);
}

// ---- continuations: the request goes on after its handler has returned ----

void Exchange::start_continuation(Later&& later) {
    stream_.continuation = std::move(later.continuation);
    session_.on<Event::waits>(stream_);
    if (stream_.continuation) go_on();
}

/// Resumes the continuation, and follows its reply. The stream may have its response afterwards.
void Exchange::go_on() {
    Reply reply = session_.user_code(stream_).resume(*stream_.continuation);
    while (const auto* hints = std::get_if<EarlyHints>(&reply)) {
        render_interim(session_.replies(), stream_.id, hints->status, hints->lines,
                       session_.peer.take_table_update());
        reply = session_.user_code(stream_).resume(*stream_.continuation);
    }
    if (auto* response = std::get_if<Response>(&reply)) {
        const auto finished =
            std::move(stream_.continuation);  // destroyed after its response was taken
        stream_.at_handler = false;
        stream_.content_in.cut();
        return answer(std::move(*response));
    }
    if (std::holds_alternative<Later>(reply)) return session_.hasten(stream_);
    if (stream_.phase == Phase::handling) return begin_content(std::move(reply));
    session_.hasten(stream_);
    resume_content();
}

// ---- deadlines ----

void Exchange::expire() {
    if (is_resumed()) return;
    switch (stream_.timer) {
        case Timer::transmit:
            if (meets_min_rate() || !is_blocked()) return session_.on<Event::unsent>(stream_);
            troubles().note(Trouble::slow_peers);
            return session_.reset(stream_, ErrorCode::cancel, Outcome::timed_out);
        case Timer::drain: return session_.reset(stream_, ErrorCode::no_error, Outcome::sent);
        case Timer::body:
            troubles().note(Trouble::slow_peers);
            return refuse(Fault::content_too_slow);
        case Timer::handler: return refuse(Fault::handler_too_slow);
        case Timer::pause:
            return session_.reset(stream_, ErrorCode::internal_error, Outcome::timed_out);
        default: return session_.hasten(stream_);
    }
}

/// Whether the deadline that has passed was that of wake_at().
bool Exchange::is_resumed() {
    const Instant now = session_.now.instant;
    if (now >= stream_.timer_by || now < stream_.wake_at()) return false;
    stream_.continuation ? go_on() : session_.wake_source(stream_);
    return true;
}

/// Whether the peer has taken enough since the last check: it may open its window by one byte at a
/// time.
bool Exchange::meets_min_rate() noexcept {
    const std::uint64_t since =
        stream_.content_sent - std::exchange(stream_.content_looked_at, stream_.content_sent);
    return since >= bytes_per_look(session_.workspace.timeouts);
}

bool Exchange::is_blocked() const noexcept {
    return std::min(stream_.send_window, session_.send_window) <= 0;
}

// ---- the response ----

void Exchange::refuse(Fault fault) {
    Response response = session_.user_code(stream_).refusal(fault, stream_.continuation.get());
    stream_.content_in.cut();
    stream_.cut_continuation();
    std::erase(session_.ready, stream_.id);
    answer(std::move(response));
}

void Exchange::answer(Response&& response) {
    if (response.status() == Status::switching_protocols) [[unlikely]]
        return begin_tunnel(std::move(response));
    const bool is_connect =
        stream_.is_known &&
        (stream_.may_tunnel || stream_.slot.request().method() == Method::connect);
    if (is_connect && is_success(response.status())) [[unlikely]] {
        drop(Reply{std::move(response)}, Outcome::stopped);
        return answer(error_response(Status::not_implemented, "This server is no proxy"));
    }
    session_.forget_held(stream_);
    begin_answer(std::move(response));
}

void Exchange::begin_tunnel(Response&& response) {
    const auto* const source = std::get_if<std::unique_ptr<Source>>(&response.content());
    if (!stream_.may_tunnel || source == nullptr || (*source)->tunnel() == nullptr) {
        drop(Reply{std::move(response)}, Outcome::stopped);
        return answer(error_response(Status::internal_server_error));
    }
    response.status(Status::ok);  // RFC 8441 4
    begin_answer(std::move(response));
    if (stream_.is_tunnel()) TunnelStream{session_, stream_}.begin();
}

void Exchange::begin_answer(Response&& response) {
    const std::uint32_t requests_max = session_.workspace.limits.requests_per_connection_max;
    if (response.closes() || (requests_max != 0 && session_.requests >= requests_max))
        session_.is_last_answer = true;
    stream_.status = response.status();
    stream_.is_head_due = true;
    stream_.content.emplace(std::move(response));
    const UserCode code = session_.user_code(stream_);
    if (stream_.content->has_source()) {
        if (!stream_.content->ask_size(code)) [[unlikely]] {
            stream_.content->done(Outcome::source_failed);
            return begin_answer(error_response(Status::internal_server_error));
        }
        if (session_.retired) stream_.content->retire();
    }
    const bool upgrades = stream_.may_tunnel && stream_.tunnel() != nullptr;
    upgrades ? session_.on<Event::upgrades>(stream_) : session_.on<Event::streams>(stream_);
    session_.queue(stream_);
}

void Exchange::sent(const OutputQueue::Mark& mark) {
    stream_.content_sent += mark.content_bytes;
    if (mark.is_last) return answer_sent();
    if (!stream_.content || !stream_.content->waits_for_wake()) return;
    if (stream_.source_woken || stream_.wake_at() <= session_.now.instant)
        return session_.wake_source(stream_);
    session_.hasten(stream_);
}

/// The peer has its response, and may still be sending content that is not used. RFC 9113 8.1 suggests
/// a reset, but some clients discard the response then (curl 7.88). So the reset comes later. Until
/// then, the peer may send as much as its window allows.
void Exchange::answer_sent() {
    if (stream_.peer_ended || stream_.at_handler) return session_.end(stream_, Outcome::sent);
    session_.report(stream_, Outcome::sent);
    stream_.content->done(Outcome::sent);
    stream_.content.reset();
    session_.on<Event::drains>(stream_);
}

}  // namespace weir::http::http2
