// Http1Connection: from answers to bytes.

#include <utility>

#include "http/answer/dropped.h"
#include "http/http1/http1_connection.h"
#include "http/http1/http1_retained.h"

namespace weir::http {

namespace {

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

}  // namespace

[[gnu::flatten]] void Http1Connection::do_respond(RequestId id, Reply&& reply, Now now) {
    if (!is_current(id)) [[unlikely]]
        return drop(std::move(reply), Outcome::timed_out);
    if (retained_ && !retained_->output.empty() && !std::holds_alternative<Later>(reply)) {
        retained_->early_reply = std::move(reply);  // the bytes that are being sent must not move
        return;
    }
    if (auto* response = std::get_if<Response>(&reply)) return answer(std::move(*response), now);
    if (auto* later = std::get_if<Later>(&reply)) return start_continuation(std::move(*later), now);
    auto* stream = std::get_if<StreamContent>(&reply);
    begin_content(stream && stream->sink ? &stream->sink : nullptr, now);
}

/// Refuses the request with the response for `fault`. The connection ends after it.
void Http1Connection::refuse(Fault fault, Now now) {
    const FaultAnswer& answer = answer_to(fault);
    cut_continuation();
    if (retained_ && retained_->incoming) retained_->incoming->content.cut();
    ending_ = Ending::linger;
    Response response = error_response(answer.status, answer.text);
    // RFC 9110 10.2.3. The next connection that closes makes a place.
    if (fault == Fault::overloaded) response.add("Retry-After", "1");
    render_answer(std::move(response), phase_ > Phase::head ? &slot().request() : nullptr, now);
}

void Http1Connection::answer(Response&& response, Now now) {
    const RequestSlot& request = slot();
    if (request.request().method() == Method::connect && is_success(response.status())) [[unlikely]]
        return refuse_tunnel(std::move(response), now);
    const std::uint32_t requests_max = workspace_.limits.requests_per_connection_max;
    const bool unread = request.request().content_pending() && !skip_content();
    if (unread || response.closes() || retiring_ || requests_ == requests_max)
        ending_ = Ending::linger;
    else if (ending_ == Ending::none && !request.framing.keep_alive)
        ending_ = Ending::close;
    render_answer(std::move(response), &request.request(), now);
}

/// RFC 9110 9.3.6: a 2xx response to CONNECT would begin a tunnel, and have no content.
[[gnu::noinline]] void Http1Connection::refuse_tunnel(Response&& response, Now now) {
    drop(Reply{std::move(response)}, Outcome::stopped);
    answer(error_response(Status::not_implemented, "This server is no proxy"), now);
}

/// `request` is null before a head was read. Then neither method nor version is known.
void Http1Connection::render_answer(Response&& response, const Request* request, Now now) {
    const bool is_1_0 = request != nullptr && request->minor_version() == 0;
    const bool is_head = request != nullptr && request->method() == Method::head;
    const bool with_content = may_have_content(response.status());
    if (!with_content && request != nullptr && response.status() == Status::switching_protocols)
        [[unlikely]]
        return begin_tunnel(std::move(response), *request, now);
    ContentFacts content = facts_of(response.content());
    if (!content.size && !ask_source(response, content.size)) [[unlikely]]
        return answer_in_place_of(std::move(response), request, now);
    const Delimiter delimiter = delimiter_of(with_content, content.size.has_value(), is_1_0);
    if (delimiter == Delimiter::close && ending_ == Ending::none) ending_ = Ending::close;
    const HeadFacts facts{.delimiter = delimiter,
                          .content_length = content.size.value_or(0),
                          .date_line = workspace_.date_line(now.unix_seconds),
                          .close = ending_ != Ending::none,
                          .keep_alive_1_0 = is_1_0};
    const bool sends_content = with_content && !is_head;
    const bool small =
        content.in_memory && content.bytes.size() <= workspace_.limits.inline_content_bytes_max;
    const auto inlined = sends_content && small ? content.bytes : std::string_view{};
    render(output(), response, facts, inlined);
    if (sends_content && !small)
        return begin_sending(std::move(response), delimiter, content.size, now);
    if (auto* source = std::get_if<std::unique_ptr<Source>>(&response.content()))
        std::exchange(*source, nullptr)->done(Outcome::sent);
    if (workspace_.observer != nullptr)
        report(response.status(), inlined.size(), Outcome::sent, now);
    next_request(Sent::no, now);
}

/// Asks the source for its size. False if the source throws.
[[gnu::noinline]] bool Http1Connection::ask_source(const Response& response,
                                                   std::optional<std::uint64_t>& size) {
    return user_code().ask_size(*std::get<std::unique_ptr<Source>>(response.content()), size);
}

/// Sends a 500 in place of a response whose source failed before the head was rendered.
[[gnu::noinline]] void Http1Connection::answer_in_place_of(Response&& response,
                                                           const Request* request, Now now) {
    drop(Reply{std::move(response)}, Outcome::source_failed);
    render_answer(error_response(Status::internal_server_error), request, now);
}

[[gnu::noinline]] void Http1Connection::begin_sending(Response&& response, Delimiter delimiter,
                                                      std::optional<std::uint64_t> size, Now now) {
    on<Event::streams>(now);
    take_outgoing(std::move(response), delimiter, size);
    if (outgoing_->empty()) pull(now);
}

void Http1Connection::take_outgoing(Response&& response, Delimiter delimiter,
                                    std::optional<std::uint64_t> size) {
    if (retained_) retained_->continuation.reset();  // another thread has answered
    outgoing_ = std::make_unique<Outgoing>(std::move(response), delimiter, size);
    if (workspace_.failures != nullptr) outgoing_->name_request(slot().request());
}

/// Gathers small pieces as long as the source has them without a wait.
Outgoing::Pull Http1Connection::gather() {
    constexpr std::size_t gathered_bytes = 16 * 1024;
    auto result = Outgoing::Pull::pulled;
    while (result == Outgoing::Pull::pulled && outgoing_->empty() &&
           output().size() < gathered_bytes)
        result = outgoing_->pull(output(), workspace_.failures);
    return result;
}

/// Takes the source's next content, or ends the response at its end.
void Http1Connection::pull(Now now, Instant at_latest) {
    auto result = gather();
    const bool waits_for_nothing =
        result == Outgoing::Pull::not_ready && output().empty() && now.instant >= outgoing_->due();
    if (waits_for_nothing) result = gather();  // its output so far was sent before
    if (result == Outgoing::Pull::failed) return end_sending(Outcome::source_failed, now);
    if (result == Outgoing::Pull::finished && output().empty())
        return end_sending(Outcome::sent, now);
    if (result != Outgoing::Pull::not_ready) return on<Event::unsent>(now, at_latest);
    on<Event::paused>(now);
    rest(now);
}

void Http1Connection::end_sending(Outcome outcome, Now now) {
    // RFC 9112 8: only the end of the connection tells the peer that the response is incomplete.
    if (outcome != Outcome::sent) return cut(outcome, now);
    report(outgoing_->response().status(), outgoing_->content_sent(), outcome, now);
    outgoing_->done(outcome);
    outgoing_.reset();
    next_request(Sent::yes, now);
}

/// The response to the current request is rendered, and maybe sent.
void Http1Connection::next_request(Sent sent, Now now) {
    if (retained_) {
        retained_->slot.reset();
        retained_->incoming.reset();
        retained_->continuation.reset();
    }
    if (ending_ != Ending::none) {
        on<Event::answered_last>(now);
        if (sent == Sent::yes) finish(now);
    } else if (!input_.empty()) {
        on<Event::next>(now);
        read_head(now);
    } else if (sent == Sent::no) {
        on<Event::answered>(now);
    } else {
        on<Event::next>(now);
        await_request(now);
    }
}

void Http1Connection::report(Status status, std::uint64_t content_bytes, Outcome outcome, Now now) {
    if (workspace_.observer == nullptr) return;
    const bool understood = phase_ > Phase::head;
    workspace_.observer->answered({.request = understood ? &slot().request() : nullptr,
                                   .origin = origin_,
                                   .status = status,
                                   .outcome = outcome,
                                   .content_bytes = content_bytes,
                                   .began = phase_ == Phase::idle ? now.instant : slot().began,
                                   .now = now});
}

}  // namespace weir::http
