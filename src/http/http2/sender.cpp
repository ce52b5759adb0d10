#include "http/http2/sender.h"

#include <algorithm>

#include "http/frames/frame.h"
#include "http/hpack/response_head.h"
#include "http/http2/tunnel_stream.h"

namespace weir::http::http2 {

void Sender::fill_output() {
    OutputQueue& output = session_.output;
    while (!session_.closing && output.can_grow() && output.size() < session_.bounds.output_bytes) {
        Stream* const stream =
            session_.turns.next([this](const Stream& each) { return can_go(each); });
        if (stream == nullptr) return;
        send_some(*stream);
    }
}

bool Sender::can_go(const Stream& stream) const noexcept {
    return stream.is_head_due || session_.send_window > 0 || stream.content->at_hand() == 0 ||
           session_.input_ended;
}

/// Renders the head, the next frame of content, or both. May end the stream.
void Sender::send_some(Stream& stream) {
    if (stream.is_head_due) send_head(stream);
    if (stream.is_sending() && !send_content(stream)) return;
    session_.turns.end_turn(stream);
}

void Sender::send_head(Stream& stream) {
    stream.is_head_due = false;
    Content& content = *stream.content;
    const bool with_content = may_have_content(stream.status);
    const bool is_head = stream.is_known && stream.slot.request().method() == Method::head;
    const auto size = with_content ? content.size() : std::nullopt;
    if (!with_content || is_head) content.leave_out();
    const bool ends = content.ends_with(0);
    render_head(session_.output.frames(), content.head(),
                {.stream = stream.id,
                 .content_length = size,
                 .date_line = session_.workspace.date_line(content.head(), session_.now),
                 .ends_stream = ends,
                 .empties_table = session_.peer.take_table_update()});
    if (stream.is_tunnel()) content.forget_head();  // a tunnel may be idle for hours
    if (!ends) return;
    session_.output.mark(stream.id, 0, true);
    finish_answer(stream);
}

/// False if the stream is over.
bool Sender::send_content(Stream& stream) {
    auto state = stream.content->prepare(session_.workspace.failures, stream.slot);
    if (state == Content::State::not_ready && stream.phase == Phase::tunnel) {
        state = TunnelStream{session_, stream}.pump();
        if (state == Content::State::not_ready) return true;
    }
    switch (state) {
        case Content::State::not_ready: await_source(stream); return true;
        case Content::State::failed:
            session_.reset(stream, ErrorCode::internal_error, Outcome::source_failed);
            return false;
        case Content::State::at_end: end_content(stream); return true;
        case Content::State::ready: break;
    }
    return send_data(stream);
}

void Sender::await_source(Stream& stream) {
    session_.turns.remove(stream);
    session_.on<Event::paused>(stream);
    // A source that is woken again and again without output gets no more time by that.
    stream.timer != Timer::pause ? session_.on<Event::waits>(stream) : session_.hasten(stream);
}

/// Renders the next frame of the content at hand. False if the stream is over.
bool Sender::send_data(Stream& stream) {
    if (stream.timer != Timer::transmit) session_.on<Event::unsent>(stream);
    const std::int64_t window = std::min(stream.send_window, session_.send_window);
    if (window <= 0) {
        if (stream.send_window <= 0) session_.turns.remove(stream);
        if (!session_.input_ended) return true;
        session_.end(stream, Outcome::peer_gone);  // the peer can't open the window any more
        return false;
    }
    const Content& content = *stream.content;
    const std::uint32_t frame_max =
        content.is_file() ? std::min(session_.peer.frame_bytes_max(), file_frame_bytes_max)
                          : frame_bytes_max;
    const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        {static_cast<std::uint64_t>(window), content.at_hand(), frame_max}));
    const bool is_last = content.ends_with(size);
    write_data(stream, size, is_last);
    if (is_last) finish_answer(stream);
    return true;
}

void Sender::write_data(Stream& stream, std::uint32_t size, bool is_last) {
    Content& content = *stream.content;
    OutputQueue& output = session_.output;
    const std::uint32_t copied = content.is_file() ? 0 : size;
    char* const payload = write_frame_head(
        output.frames().room(frame_head_bytes + copied),
        {size, FrameType::data, is_last ? flag::end_stream : std::uint8_t{0}, stream.id});
    if (copied != 0) content.take(copied, payload);
    output.frames().commit(frame_head_bytes + copied);
    if (copied == 0 && size != 0) output.add_file(content.take_file(size), stream.id);
    stream.content_rendered += size;
    stream.send_window -= size;
    session_.send_window -= size;
    session_.tolerance.payload += size;
    output.mark(stream.id, size, is_last);
}

void Sender::end_content(Stream& stream) {
    session_.forget_held(stream);  // input of a tunnel
    if (const std::string_view trailers = stream.content->trailers(); !trailers.empty()) {
        render_trailers(session_.output.frames(), stream.id, trailers,
                        session_.peer.take_table_update());
        session_.output.mark(stream.id, 0, true);
    } else {
        write_data(stream, 0, true);
    }
    finish_answer(stream);
}

/// The whole response is rendered.
void Sender::finish_answer(Stream& stream) {
    session_.on<Event::answered>(stream);
    session_.turns.remove(stream);
}

}  // namespace weir::http::http2
