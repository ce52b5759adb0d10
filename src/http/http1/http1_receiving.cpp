// Http1Connection: from bytes to requests.

#include <algorithm>
#include <utility>

#include "http/http1/http1_connection.h"
#include "http/http1/http1_retained.h"
#include "http/kept_input.h"
#include "http/pace.h"

namespace weir::http {

using Passed = ContentIn::Passed;

[[gnu::flatten]] void Http1Connection::do_receive(std::string_view bytes, Now now) {
    if (phase_ >= Phase::tunnel) [[unlikely]] {
        if (is_tunnel()) return receive_in_tunnel(bytes, now);
        return on<Event::waits>(now, retained_->drained_by);
    }
    take_in(bytes);
    phase_ == Phase::content ? read_content(now) : read_head(now);
}

/// Bytes are copied only behind an unfinished part.
void Http1Connection::take_in(std::string_view bytes) {
    if (input_.empty())
        input_ = bytes;
    else
        add_input(input_, retained().input, bytes);
}

void Http1Connection::begin_request(RequestSlot& request, Now now) {
    input_.remove_prefix(request.head_size());
    request.interpret(origin_, ++requests_);
    if (retiring_) mark_busy();
    on<Event::request_read>(now);
    if (request.framing.fault != Fault::none) refuse(request.framing.fault, now);
}

/// There is input, and the response to the request before is rendered.
[[gnu::flatten]] void Http1Connection::read_head(Now now) {
    if (output().size() >= workspace_.limits.pipelined_output_bytes_max)
        return on<Event::unsent>(now);
    RequestSlot& request = slot();
    if (phase_ == Phase::idle) {
        request.reset();
        request.began = now.instant;
    }
    switch (request.parse(input_, workspace_.limits)) {
        case HeadParser::Result::complete: return begin_request(request, now);
        case HeadParser::Result::fault: return refuse(request.parser.fault(), now);
        case HeadParser::Result::more: break;
    }
    if (phase_ == Phase::idle) on<Event::head_begun>(now);
    keep_slot();
    keep_input(input_, retained().input);
    charge();
    output().empty() ? await_head() : on<Event::unsent>(now);
}

void Http1Connection::await_head() noexcept {
    on<Event::waits>({.instant = slot().began, .unix_seconds = 0});
}

/// Without a sink the content is collected. The sink changes hands after all that may throw.
void Http1Connection::begin_content(std::unique_ptr<Sink>* sink, Now now) {
    // A handler that asks for content without there being any, or asks twice, would run for ever.
    if (!slot().request().content_pending())
        return answer(error_response(Status::internal_server_error), now);
    const Framing framing = slot().framing;
    if (!sink && framing.content_length > workspace_.limits.content_bytes_max)
        return refuse(Fault::content_too_long, now);
    on<Event::content_wanted>(now);
    keep_slot();
    retained_->incoming.emplace();
    retained_->incoming->content.begin(sink ? std::move(*sink) : nullptr, now.instant);
    retained_->incoming->left = framing.content_length;
    // RFC 9110 10.1.1: not needed if the content is already coming.
    if (framing.expects_continue && input_.empty())
        output().append("HTTP/1.1 100 Continue\r\n\r\n");
    read_content(now);
}

void Http1Connection::read_content(Now now) {
    const bool sized = slot().framing.content == Framing::Content::sized;
    for (auto going = ContinuationResult::reads_on; going == ContinuationResult::reads_on;) {
        while (!input_.empty() && phase_ == Phase::content)
            if (!(sized ? read_sized(now) : read_chunked(now))) return;
        if (phase_ != Phase::paused || !has_continuation()) break;
        going = poll_continuation(now);
        if (going == ContinuationResult::moved_on) return;
    }
    await_content(now);
}

/// False at the end of the content, good or bad.
bool Http1Connection::read_sized(Now now) {
    Incoming& incoming = *retained_->incoming;
    const std::string_view data = input_.substr(0, incoming.left);
    input_.remove_prefix(data.size());
    incoming.left -= data.size();
    if (!deliver(data, now)) return false;
    if (incoming.left != 0) return true;
    end_content({}, now);
    return false;
}

bool Http1Connection::read_chunked(Now now) {
    ChunkedDecoder& chunks = retained_->incoming->chunks;
    const auto step = chunks.decode(input_, workspace_.limits);
    input_.remove_prefix(step.consumed);
    switch (step.result) {
        case ChunkedDecoder::Result::more: return true;
        case ChunkedDecoder::Result::data: return deliver(step.data, now);
        case ChunkedDecoder::Result::fault: refuse(step.fault, now); return false;
        case ChunkedDecoder::Result::complete:
            end_content(chunks.take_trailers(), now);
            return false;
    }
    return false;
}

bool Http1Connection::deliver(std::string_view data, Now now) {
    Incoming& incoming = *retained_->incoming;
    incoming.content.count(data.size());
    renew_answer_time(now);
    switch (incoming.content.pass_on(data, user_code(), slot().content(),
                                     workspace_.limits.content_bytes_max)) {
        case Passed::on:
            if (incoming.content.is_collected()) charge();
            return true;
        case Passed::paused: on<Event::paused>(now); return true;
        case Passed::too_long: refuse(Fault::content_too_long, now); return false;
        case Passed::failed: break;
    }
    cut_continuation();
    ending_ = Ending::linger;
    answer(error_response(Status::internal_server_error), now);
    return false;
}

void Http1Connection::end_content(std::string trailers, Now now) {
    slot().content_complete(std::move(trailers));
    retained_->incoming.reset();
    on<Event::request_read>(now);
    if (!has_continuation()) return;
    renew_answer_time(now);
    output().empty() ? on<Event::taken>(now) : on<Event::taken_unsent>(now);
    go_on(now);
}

/// Waits for more input, or for the sink.
void Http1Connection::await_content(Now now) {
    if (phase_ == Phase::paused || !output().empty()) return rest(now);
    const ContentIn& content = retained_->incoming->content;
    const Instant due = content_due(workspace_.timeouts, content.began(), content.received());
    on<Event::waits>(now, std::min(due, wake_at()));
}

/// Skips content that the handler did not ask for, if all of it is in the input. Otherwise false: the
/// next request is never looked for in content.
bool Http1Connection::skip_content() {
    const Framing& framing = slot().framing;
    if (framing.content == Framing::Content::sized) {
        if (framing.content_length > input_.size()) return false;
        input_.remove_prefix(framing.content_length);
        return true;
    }
    ChunkedDecoder chunks;
    while (!input_.empty()) {
        const auto step = chunks.decode(input_, workspace_.limits);
        input_.remove_prefix(step.consumed);
        if (step.result == ChunkedDecoder::Result::complete) return true;
        if (step.result == ChunkedDecoder::Result::fault) return false;
    }
    return false;
}

}  // namespace weir::http
