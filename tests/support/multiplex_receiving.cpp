// Connection: from frames to requests and their content.

#include <utility>

#include "support/multiplex_connection.h"

namespace weir::tests::multiplex {

using http::Step;

void Connection::read_frames() {
    while (can_take() && !input_.empty()) {
        const ReadFrame read = read_frame(input_);
        if (read.result == ReadFrame::Result::more) return;
        const bool is_good = read.result == ReadFrame::Result::frame && take_frame(read.frame);
        if (!is_good) return refuse_all("malformed", Outcome::peer_gone);
        head_deadline_ = never;
        input_.remove_prefix(read.size);
    }
}

/// False where it breaks the protocol.
bool Connection::take_frame(const Frame& frame) {
    switch (frame.type) {
        case FrameType::request:
        case FrameType::upload: return open_stream(frame);
        case FrameType::window: return take_window(frame);
        case FrameType::data:
        case FrameType::end:
        case FrameType::cancel: break;
        default: return false;
    }
    if (frame.stream == 0 || frame.stream > last_stream_) return false;
    Stream* const stream = find(frame.stream);
    if (!stream || !stream->awaited) return true;  // it was over when this was sent, or is by now
    if (frame.type != FrameType::cancel) return take_content(*stream, frame);
    end_stream(*stream, Outcome::peer_gone);
    return true;
}

bool Connection::open_stream(const Frame& frame) {
    if (frame.stream <= last_stream_ || frame.payload.find_first_of("\r\n") != frame.payload.npos)
        return false;
    const char* const why = goaway_said_                         ? "going away"
                            : streams_.size() >= bounds_.streams ? "too many streams"
                                                                 : nullptr;
    last_stream_ = frame.stream;
    if (why) {
        output_.append(tests::multiplex::frame(FrameType::refused, frame.stream, why));
        return true;
    }
    if (leaves_) note_work();
    auto stream = std::make_unique<Stream>(frame.stream);
    const bool has_content = frame.type == FrameType::upload;
    // The head that HTTP/1 would have: its parser makes the request, and the slot keeps a copy.
    const std::string head = std::string{frame.payload} + " HTTP/1.1\r\nHost: weir.test\r\n" +
                             (has_content ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
    stream->slot.began = now_.instant;
    if (stream->slot.parse(head, workspace_.limits) != http::HeadParser::Result::complete)
        return false;
    stream->slot.interpret(origin_, frame.stream);
    stream->slot.own();
    if (stream->slot.framing.fault != http::Fault::none) return false;
    stream->content_ended = !has_content;
    arm(*stream, Stream::Timer::handler);
    ready_.push_back(frame.stream);
    streams_.emplace(frame.stream, std::move(stream));
    return true;
}

bool Connection::take_window(const Frame& frame) {
    const std::uint32_t bytes = number_in(frame.payload);
    if (frame.stream == 0) {
        send_window_ += bytes;
        return true;
    }
    if (frame.stream > last_stream_) return false;
    if (Stream* const stream = find(frame.stream)) stream->send_window += bytes;
    return true;
}

bool Connection::take_content(Stream& stream, const Frame& frame) {
    stream.receive_window -= static_cast<std::int64_t>(frame.payload.size());
    if (stream.content_ended || stream.receive_window < 0) return false;
    stream.content_ended = frame.type == FrameType::end;
    if (stream.answer) return true;  // nobody wants it any more; nothing is granted for it
    stream.held += frame.payload;
    deliver_content(stream);
    return true;
}

void Connection::begin_content(Stream& stream, std::unique_ptr<http::Sink> sink) {
    // A handler that asks for content that isn't there, or asks twice, would be called for ever.
    if (!stream.slot.request().content_pending())
        return answer(stream, http::error_response(http::Status::internal_server_error));
    stream.phase = Stream::Phase::content;
    stream.sink = std::move(sink);
    deliver_content(stream);
}

/// May end the stream.
void Connection::deliver_content(Stream& stream) {
    if (stream.phase != Stream::Phase::content || stream.sink_pauses) return;
    arm(stream, Stream::Timer::body);
    if (!stream.held.empty() && !(stream.sink ? feed_sink(stream) : collect_content(stream)))
        return;
    if (!stream.content_ended) return;
    stream.sink.reset();
    stream.slot.content_complete({});
    stream.phase = Stream::Phase::ready;
    arm(stream, Stream::Timer::handler);
    ready_.push_back(stream.id);
}

/// What is held, and room for as much again. False where there is nothing to go on with.
bool Connection::collect_content(Stream& stream) {
    std::string& content = stream.slot.content();
    if (content.size() + stream.held.size() > workspace_.limits.content_bytes_max) {
        refuse(stream, "content too long", Outcome::sent);
        return false;
    }
    content += stream.held;
    grant_held(stream);
    return true;
}

bool Connection::feed_sink(Stream& stream) {
    const auto taken = stream.sink->take(stream.held);
    grant_held(stream);
    if (taken == http::Sink::Taken::more) return true;
    if (taken == http::Sink::Taken::failed) {
        stream.sink.reset();
        answer(stream, http::error_response(http::Status::internal_server_error));
        return false;
    }
    stream.sink_pauses = true;
    arm(stream, Stream::Timer::wake);
    return false;
}

/// It was taken: the peer may send as much again.
void Connection::grant_held(Stream& stream) {
    const auto bytes = static_cast<std::uint32_t>(stream.held.size());
    stream.held.clear();
    stream.receive_window += bytes;
    if (!stream.content_ended) output_.append(number_frame(FrameType::window, stream.id, bytes));
}

/// The peer has shut down its side: what is not whole by now, never will be.
void Connection::cut_unfinished_content() {
    for (auto each = streams_.begin(); each != streams_.end();) {
        Stream& stream = *(each++)->second;
        if (!stream.content_ended && !stream.answer && stream.awaited)
            end_stream(stream, Outcome::peer_gone);
    }
}

}  // namespace weir::tests::multiplex
