// Http2Connection: from replies to frames, and streams to their end.

#include <algorithm>
#include <utility>

#include "http/answer/dropped.h"
#include "http/hpack/response_head.h"
#include "http/http2/http2_connection.h"

namespace weir::http {

namespace flag = http2::flag;
using http2::Content;
using http2::FrameType;

/// Discards content that is not used.
inline void Http2Connection::forget_held(Stream& stream) {
    if (stream.held.empty()) [[likely]]
        return;
    grant(std::exchange(stream.held, {}).size() - std::exchange(stream.held_begin, 0));
}

/// Refuses the request with the response for `fault`: the peer broke a rule or a limit, or a handler
/// took too long.
void Http2Connection::refuse(Stream& stream, Fault fault) {
    const FaultAnswer& said = answer_to(fault);
    stream.content_in.cut();
    stream.cut_continuation();
    std::erase(ready_, stream.id);
    answer(stream, error_response(said.status, said.text));
}

void Http2Connection::answer(Stream& stream, Response&& response) {
    if (response.status() == Status::switching_protocols) [[unlikely]]
        return begin_tunnel(stream, std::move(response));
    const bool is_connect =
        stream.is_known && (stream.may_tunnel || stream.slot.request().method() == Method::connect);
    if (is_connect && is_success(response.status())) [[unlikely]] {
        drop(Reply{std::move(response)}, Outcome::stopped);
        return answer(stream, error_response(Status::not_implemented, "This server is no proxy"));
    }
    forget_held(stream);
    begin_answer(stream, std::move(response));
}

void Http2Connection::begin_answer(Stream& stream, Response&& response) {
    const std::uint32_t requests_max = workspace_.limits.requests_per_connection_max;
    if (response.closes() || (requests_max != 0 && requests_ >= requests_max))
        begin_goaway(request_grace);
    stream.status = response.status();
    stream.is_head_due = true;
    stream.content.emplace(std::move(response));
    if (stream.content->has_source() && !stream.content->ask_size(user_code(stream))) [[unlikely]] {
        stream.content->done(Outcome::source_failed);
        return begin_answer(stream, error_response(Status::internal_server_error));
    }
    const bool upgrades = stream.may_tunnel && stream.tunnel() != nullptr;
    upgrades ? on<Event::upgrades>(stream) : on<Event::streams>(stream);
    queue(stream);
}

/// The stream may have output.
void Http2Connection::queue(Stream& stream) {
    if (stream.is_sending()) turns_.add(stream);
}

/// Renders frames as far as windows and bounds allow.
void Http2Connection::fill_output() {
    while (!closing_ && output_.can_grow() && output_.size() < bounds_.output_bytes) {
        Stream* const stream = turns_.next([this](const Stream& each) { return can_go(each); });
        if (stream == nullptr) return;
        send_some(*stream);
    }
}

bool Http2Connection::can_go(const Stream& stream) const noexcept {
    return stream.is_head_due || send_window_ > 0 || stream.content->at_hand() == 0 || input_ended_;
}

/// Renders the head, the next frame of content, or both. May end the stream.
void Http2Connection::send_some(Stream& stream) {
    if (stream.is_head_due) send_head(stream);
    if (stream.is_sending() && !send_content(stream)) return;
    turns_.end_turn(stream);
}

void Http2Connection::send_head(Stream& stream) {
    stream.is_head_due = false;
    Content& content = *stream.content;
    const bool with_content = may_have_content(stream.status);
    const bool is_head = stream.is_known && stream.slot.request().method() == Method::head;
    const auto size = with_content ? content.size() : std::nullopt;
    if (!with_content || is_head) content.leave_out();
    const bool ends = content.ends_with(0);
    http2::render_head(output_.frames(), content.response(),
                       {.stream = stream.id,
                        .content_length = size,
                        .date_line = workspace_.date_line(now_.unix_seconds),
                        .ends_stream = ends,
                        .empties_table = peer_.take_table_update()});
    if (!ends) return;
    output_.mark(stream.id, 0, true);
    finish_answer(stream);
}

/// False if the stream is over.
bool Http2Connection::send_content(Stream& stream) {
    Content& content = *stream.content;
    auto state = content.prepare(workspace_.failures, stream.slot);
    if (state == Content::State::not_ready && stream.phase == Phase::tunnel) {
        state = pump_tunnel(stream);
        if (state == Content::State::not_ready) return true;
    }
    switch (state) {
        case Content::State::not_ready:
            turns_.remove(stream);
            on<Event::paused>(stream);
            // A source that is woken again and again without output gets no more time by that.
            stream.timer != Timer::handler ? on<Event::waits>(stream) : hasten(stream);
            return true;
        case Content::State::failed:
            reset(stream, ErrorCode::internal_error, Outcome::source_failed);
            return false;
        case Content::State::at_end: end_content(stream); return true;
        case Content::State::ready: break;
    }
    if (stream.timer != Timer::transmit) on<Event::unsent>(stream);
    const std::int64_t window = std::min(stream.send_window, send_window_);
    if (window <= 0) {
        if (stream.send_window <= 0) turns_.remove(stream);
        if (!input_ended_) return true;
        end_stream(stream, Outcome::peer_gone);  // the peer can't open the window any more
        return false;
    }
    const std::uint32_t frame_max = content.is_file()
                                        ? std::min(peer_.frame_bytes_max(), file_frame_bytes_max)
                                        : http2::frame_bytes_max;
    const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        {static_cast<std::uint64_t>(window), content.at_hand(), frame_max}));
    const bool is_last = content.ends_with(size);
    write_data(stream, size, is_last);
    if (is_last) finish_answer(stream);
    return true;
}

void Http2Connection::write_data(Stream& stream, std::uint32_t size, bool is_last) {
    Content& content = *stream.content;
    const std::uint32_t copied = content.is_file() ? 0 : size;
    char* const payload = http2::write_frame_head(
        output_.frames().room(http2::frame_head_bytes + copied),
        {size, FrameType::data, is_last ? flag::end_stream : std::uint8_t{0}, stream.id});
    if (copied != 0) content.take(copied, payload);
    output_.frames().commit(http2::frame_head_bytes + copied);
    if (copied == 0 && size != 0) output_.add_file(content.take_file(size), stream.id);
    stream.content_rendered += size;
    stream.send_window -= size;
    send_window_ -= size;
    tolerance_.payload += size;
    output_.mark(stream.id, size, is_last);
}

void Http2Connection::end_content(Stream& stream) {
    forget_held(stream);  // input of a tunnel
    if (const std::string_view trailers = stream.content->trailers(); !trailers.empty()) {
        http2::render_trailers(output_.frames(), stream.id, trailers, peer_.take_table_update());
        output_.mark(stream.id, 0, true);
    } else {
        write_data(stream, 0, true);
    }
    finish_answer(stream);
}

/// The whole response is rendered.
void Http2Connection::finish_answer(Stream& stream) {
    on<Event::answered>(stream);
    turns_.remove(stream);
}

/// The peer has its response, and may still be sending content that is not used. RFC 9113 8.1 suggests
/// a reset, but some clients discard the response then (curl 7.88). So the reset comes later. Until
/// then, the peer may send as much as its window allows.
void Http2Connection::answer_sent(Stream& stream) {
    if (stream.peer_ended || stream.at_handler) return end_stream(stream, Outcome::sent);
    report(stream, Outcome::sent);
    stream.content->done(Outcome::sent);
    stream.content.reset();
    on<Event::drains>(stream);
}

void Http2Connection::reset(Stream& stream, ErrorCode code, Outcome outcome) {
    http2::append_reset(replies(), stream.id, code);
    end_stream(stream, outcome);
}

void Http2Connection::end_stream(Stream& stream, Outcome outcome) {
    using End = http2::ClosedStreams::End;
    turns_.remove(stream);
    if (!ready_.empty()) std::erase(ready_, stream.id);
    forget_held(stream);
    abandon(stream, outcome);
    closed_.add(stream.id, stream.peer_ended ? End::peer_ended : End::was_reset);
    remove_if_over(stream);
}

void Http2Connection::report(const Stream& stream, Outcome outcome) noexcept {
    const bool is_answered = stream.phase > Phase::paused && stream.phase <= Phase::rendered;
    if (workspace_.observer == nullptr || !is_answered) return;
    workspace_.observer->answered({.request = stream.is_known ? &stream.slot.request() : nullptr,
                                   .origin = origin_,
                                   .status = stream.status,
                                   .outcome = outcome,
                                   .content_bytes = stream.content_sent,
                                   .began = stream.slot.began,
                                   .now = now_});
}

}  // namespace weir::http
