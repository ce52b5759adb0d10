#include "http/http1/sender.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "http/answer/dropped.h"
#include "http/http1/exchange.h"
#include "http/http1/receiver.h"
#include "http/http1/retained.h"
#include "http/http1/tunnel_phase.h"
#include "http/pace.h"

namespace weir::http::http1 {
namespace {

/// The response if there is no memory for another one. RFC 9110 6.6.1 asks for no Date here.
constexpr std::string_view static_503 =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

/// The size of a response's content for its head, and the bytes that may be rendered behind the head.
struct ContentFacts {
    std::string_view bytes;  // the whole content, if it is in memory
    bool in_memory = true;
    std::optional<std::uint64_t> size = 0;  // empty for a source that was not asked yet
};

ContentFacts facts_of(const Response::Content& content) {
    if (auto* view = std::get_if<std::string_view>(&content))
        return {.bytes = *view, .size = view->size()};
    if (auto* own = std::get_if<std::string>(&content)) return {.bytes = *own, .size = own->size()};
    if (auto* range = std::get_if<FileRange>(&content))
        return {.bytes = {}, .in_memory = false, .size = range->size};
    if (std::holds_alternative<std::unique_ptr<Source>>(content))
        return {.bytes = {}, .in_memory = false, .size = std::nullopt};
    return {};
}

Delimiter delimiter_of(bool with_content, bool has_size, bool is_1_0) {
    if (!with_content) return Delimiter::none;
    if (has_size) return Delimiter::length;
    return is_1_0 ? Delimiter::close : Delimiter::chunked;
}

/// RFC 9110 9.3.6: a 2xx response to CONNECT would begin a tunnel, and have no content.
[[gnu::noinline]] void refuse_tunnel(Session& session, Response&& response, Now now) {
    drop(Reply{std::move(response)}, Outcome::stopped);
    answer(session, error_response(Status::not_implemented, "This server is no proxy"), now);
}

/// Asks the source for its size. False if the source throws.
[[gnu::noinline]] bool ask_source(Session& session, const Response& response,
                                  std::optional<std::uint64_t>& size) {
    return session.user_code().ask_size(*std::get<std::unique_ptr<Source>>(response.content()),
                                        size);
}

/// Sends a 500 in place of a response whose source failed before the head was rendered.
[[gnu::noinline]] void send_in_place_of(Session& session, Response&& response,
                                        const Request* request, Now now) {
    drop(Reply{std::move(response)}, Outcome::source_failed);
    send_response(session, error_response(Status::internal_server_error), request, now);
}

[[gnu::noinline]] void begin_sending(Session& session, Response&& response, Delimiter delimiter,
                                     std::optional<std::uint64_t> size, Now now) {
    session.on<Event::streams>(now);
    take_outgoing(session, std::move(response), delimiter, size);
    if (session.outgoing->empty()) pull(session, now);
}

/// The last response was sent.
void finish(Session& session, Now now) {
    const bool may_have_more = session.ending == Ending::linger && !session.input_ended;
    if (!may_have_more && session.input.empty()) return session.close();
    // RFC 9112 9.6: close(2) with unread bytes resets the connection, and the reset may overtake the
    // response. So the sending side is shut down first, and the rest of the input is discarded, until
    // the peer ends or is silent, within a limit.
    session.input = {};
    const std::chrono::milliseconds total = session.workspace.timeouts.drain_total;
    session.retain().drained_by = total == total.zero() ? never : now.instant + total;
    session.on<Event::drains>(now, session.retained->drained_by);
}

/// The response to the current request is rendered, and maybe sent.
void next_request(Session& session, bool is_sent, Now now) {
    if (session.retained) {
        session.retained->slot.reset();
        session.retained->incoming.reset();
        session.retained->continuation.reset();
    }
    if (session.ending != Ending::none) {
        session.on<Event::answered_last>(now);
        if (is_sent) finish(session, now);
    } else if (!session.input.empty()) {
        session.on<Event::next>(now);
        read_head(session, now);
    } else if (!is_sent) {
        session.on<Event::answered>(now);
    } else {
        session.on<Event::next>(now);
        await_request(session, now);
    }
}

void all_sent(Session& session, Now now) {
    if (session.phase == Phase::idle) [[likely]]
        return session.input.empty() ? await_request(session, now) : read_head(session, now);
    switch (session.phase) {
        case Phase::head: return await_head(session);
        case Phase::handling:
            if (session.retained && session.retained->early_reply) {
                auto& early_reply = session.retained->early_reply;
                return respond(session, std::move(*std::exchange(early_reply, {})), now);
            }
            break;
        case Phase::content:
            if (!session.has_continuation()) return read_content(session, now);
            break;
        case Phase::tunnel:
        case Phase::tunnel_paused: return go_on_behind_output(session, now);
        case Phase::closing: return finish(session, now);
        default: break;
    }
    session.wait(now);
    if (session.phase == Phase::closed) return;
    if (session.has_continuation())
        return go_on(session, now);  // a wake-up may have come meanwhile
    if (session.outgoing) is_resumed(session, now);
}

void static_503_sent(Session& session, std::uint64_t size, Now now) {
    session.static_503_left -= static_cast<std::uint8_t>(size);
    if (session.static_503_left == 0) return all_sent(session, now);
    session.on<Event::unsent>(now, session.rate_check_at());
}

}  // namespace

[[gnu::flatten]] void answer(Session& session, Response&& response, Now now) {
    const RequestSlot& slot = session.slot();
    const Request& request = slot.request();
    if (request.method() == Method::connect && is_success(response.status())) [[unlikely]]
        return refuse_tunnel(session, std::move(response), now);
    const std::uint32_t requests_max = session.workspace.limits.requests_per_connection_max;
    const bool unread = request.content_pending() && !skip_content(session);
    if (unread || response.closes() || session.retiring || session.requests == requests_max)
        session.ending = Ending::linger;
    else if (session.ending == Ending::none && !slot.framing.keep_alive)
        session.ending = Ending::close;
    send_response(session, std::move(response), &request, now);
}

void send_response(Session& session, Response&& response, const Request* request, Now now) {
    const bool is_1_0 = request != nullptr && request->minor_version() == 0;
    const bool is_head = request != nullptr && request->method() == Method::head;
    const bool with_content = may_have_content(response.status());
    if (!with_content && request != nullptr && response.status() == Status::switching_protocols)
        [[unlikely]]
        return begin_tunnel(session, std::move(response), *request, now);
    ContentFacts content = facts_of(response.content());
    if (!content.size && !ask_source(session, response, content.size)) [[unlikely]]
        return send_in_place_of(session, std::move(response), request, now);
    const Delimiter delimiter = delimiter_of(with_content, content.size.has_value(), is_1_0);
    if (delimiter == Delimiter::close && session.ending == Ending::none)
        session.ending = Ending::close;
    const HeadFacts facts{.delimiter = delimiter,
                          .content_length = content.size.value_or(0),
                          .date_line = session.workspace.date_line(response, now),
                          .close = session.ending != Ending::none,
                          .keep_alive_1_0 = is_1_0};
    const bool sends_content = with_content && !is_head;
    const bool small = content.in_memory &&
                       content.bytes.size() <= session.workspace.limits.inline_content_bytes_max;
    const auto inlined = sends_content && small ? content.bytes : std::string_view{};
    render(session.output(), response, facts, inlined);
    if (sends_content && !small)
        return begin_sending(session, std::move(response), delimiter, content.size, now);
    if (auto* source = std::get_if<std::unique_ptr<Source>>(&response.content()))
        std::exchange(*source, nullptr)->done(Outcome::sent);
    if (session.workspace.observer != nullptr)
        session.report(response.status(), inlined.size(), Outcome::sent, now);
    next_request(session, false, now);
}

void take_outgoing(Session& session, Response&& response, Delimiter delimiter,
                   std::optional<std::uint64_t> size) {
    if (session.retained) session.retained->continuation.reset();  // another thread has answered
    session.outgoing = std::make_unique<Outgoing>(response, delimiter, size);
    if (session.retiring) session.outgoing->retire();
    if (session.workspace.failures != nullptr)
        session.outgoing->name_request(session.slot().request());
}

Outgoing::Pull gather(Session& session) {
    constexpr std::size_t gathered_bytes = 16 * 1024;
    auto result = Outgoing::Pull::pulled;
    while (result == Outgoing::Pull::pulled && session.outgoing->empty() &&
           session.output().size() < gathered_bytes)
        result = session.outgoing->pull(session.output(), session.workspace.failures);
    return result;
}

void pull(Session& session, Now now, Instant at_latest) {
    auto result = gather(session);
    const bool waits_for_nothing = result == Outgoing::Pull::not_ready &&
                                   session.output().empty() &&
                                   now.instant >= session.outgoing->due();
    if (waits_for_nothing) result = gather(session);  // its output so far was sent before
    // A source that has failed fails again, once all that it gave before is sent.
    if (session.output().empty() && result == Outgoing::Pull::failed)
        return end_sending(session, Outcome::source_failed, now);
    if (session.output().empty() && result == Outgoing::Pull::finished)
        return end_sending(session, Outcome::sent, now);
    if (result != Outgoing::Pull::not_ready) return session.on<Event::unsent>(now, at_latest);
    session.on<Event::paused>(now);
    session.rest(now);
}

void end_sending(Session& session, Outcome outcome, Now now) {
    // RFC 9112 8: only the end of the connection tells the peer that the response is incomplete.
    if (outcome != Outcome::sent) return session.cut(outcome, now);
    session.report(session.outgoing->status(), session.outgoing->content_sent(), outcome, now);
    session.outgoing->done(outcome);
    session.outgoing.reset();
    next_request(session, true, now);
}

// ---- from bytes to the kernel ----

Transmission transmission(Session& session) noexcept {
    Transmission transmission;
    transmission.ends = session.phase == Phase::closing;
    std::size_t count = 0;
    if (const OutputBuffer& buffer = session.output(); !buffer.empty())
        transmission.parts[count++] = buffer.unsent();
    if (session.outgoing) {
        transmission.parts[count] = session.outgoing->bytes();
        transmission.file = session.outgoing->file();
    } else if (session.static_503_left != 0) [[unlikely]] {
        transmission.parts[count] = static_503.substr(static_503.size() - session.static_503_left);
    }
    return transmission;
}

[[gnu::flatten]] void transmitted(Session& session, std::uint64_t size, Now now) {
    OutputBuffer& buffer = session.output();
    const auto of_buffer = std::min<std::uint64_t>(size, buffer.size());
    buffer.sent(of_buffer);
    session.sent += static_cast<std::uint32_t>(size);
    if (session.outgoing)
        session.outgoing->sent(size - of_buffer);
    else if (session.static_503_left != 0) [[unlikely]]
        return static_503_sent(session, size - of_buffer, now);
    if (!buffer.empty() || (session.outgoing && !session.outgoing->empty()))
        return session.on<Event::unsent>(now, session.rate_check_at());
    if (session.phase == Phase::sending) return pull(session, now, session.rate_check_at());
    all_sent(session, now);
}

bool meets_min_rate(Session& session, std::uint64_t queued) {
    const std::uint32_t taken = session.sent - static_cast<std::uint32_t>(queued);
    const std::uint32_t since = taken - std::exchange(session.retain().taken, taken);
    return since >= bytes_per_look(session.workspace.timeouts);
}

void send_static_503(Session& session, Now now) noexcept {
    session.ending = Ending::linger;
    session.static_503_left = static_503.size();
    session.on<Event::answered_last>(now);
}

}  // namespace weir::http::http1
