// Connection: from replies to frames, and streams to their end.

#include <algorithm>
#include <string>
#include <utility>

#include "support/multiplex_connection.h"

namespace weir::tests::multiplex {
namespace {

// What is shorter is copied: a send of its own would cost more.
constexpr std::size_t copied_bytes_max = 1024;

std::string_view reason_of(Stream::Timer timer) {
    switch (timer) {
        case Stream::Timer::body: return "content too slow";
        case Stream::Timer::window: return "window too slow";
        default: return "handler too slow";
    }
}

}  // namespace

void Connection::arm(Stream& stream, Stream::Timer timer) {
    const http::Timeouts& timeouts = workspace_.timeouts;
    stream.timer = timer;
    stream.deadline = after(timer == Stream::Timer::body     ? timeouts.body
                            : timer == Stream::Timer::window ? timeouts.transmit
                                                             : timeouts.handler);
}

void Connection::answer(Stream& stream, http::Response&& response) {
    if (response.closes()) leaves_ = true;
    stream.phase = Stream::Phase::answering;
    stream.disarm();
    stream.held.clear();
    const auto status = static_cast<int>(response.status());
    output_.append(frame(FrameType::answer, stream.id, std::to_string(status)));
    stream.answer = std::make_shared<Answer>(std::move(response));
}

/// The streams take turns, a piece each, as far as the windows and the bound allow.
void Connection::fill_output() {
    while (!closing_ && output_.size() < bounds_.content_bytes) {
        Stream* const stream = next_in_turn();
        if (!stream) return;
        last_turn_ = stream->id;
        send_piece(*stream);
    }
}

Stream* Connection::next_in_turn() {
    const auto first = streams_.upper_bound(last_turn_);
    std::vector<Stream*> in_turn;
    for (auto each = first; each != streams_.end(); ++each) in_turn.push_back(each->second.get());
    for (auto each = streams_.begin(); each != first; ++each) in_turn.push_back(each->second.get());
    for (Stream* const stream : in_turn)
        if (stream->phase == Stream::Phase::answering && can_send(*stream)) return stream;
    return nullptr;
}

/// Otherwise its time runs. May end the stream.
bool Connection::can_send(Stream& stream) {
    const auto state = stream.answer->prepare();
    if (state == Answer::State::not_ready) {
        if (stream.timer != Stream::Timer::wake) arm(stream, Stream::Timer::wake);
        return false;
    }
    if (state == Answer::State::failed) {
        refuse(stream, "source failed", Outcome::source_failed);
        return false;
    }
    if (state == Answer::State::ready && std::min(stream.send_window, send_window_) <= 0) {
        if (stream.timer != Stream::Timer::window) arm(stream, Stream::Timer::window);
        if (input_ended_ && can_take()) refuse(stream, "window closed", Outcome::peer_gone);
        return false;
    }
    stream.disarm();
    return true;
}

void Connection::send_piece(Stream& stream) {
    if (stream.answer->prepare() == Answer::State::at_end) {
        stream.phase = Stream::Phase::answered;
        return output_.append(frame(FrameType::end, stream.id), Output::Mark{stream.id, 0, true});
    }
    const std::int64_t window = std::min(stream.send_window, send_window_);
    const auto bytes_max =
        std::min<std::size_t>(static_cast<std::size_t>(window), payload_bytes_max);
    const Answer::Piece piece = stream.answer->take(bytes_max);
    const std::size_t size = piece.bytes.size() + piece.file.size;
    stream.send_window -= static_cast<std::int64_t>(size);
    send_window_ -= static_cast<std::int64_t>(size);
    const std::string head = frame_head(FrameType::data, stream.id, size);
    const Output::Mark mark{stream.id, size, false};
    if (piece.file.size != 0)
        output_.append(head, piece.file, stream.answer, mark);
    else if (piece.stays && size > copied_bytes_max)
        output_.append(head, piece.bytes, stream.answer, mark);
    else
        output_.append(head + std::string{piece.bytes}, mark);
}

void Connection::refuse(Stream& stream, std::string_view why, Outcome outcome) {
    output_.append(frame(FrameType::refused, stream.id, why));
    end_stream(stream, outcome);
}

/// The connection ends with that word.
void Connection::refuse_all(std::string_view why, Outcome outcome) {
    if (closing_) return;
    for (auto each = streams_.begin(); each != streams_.end();)
        end_stream(*(each++)->second, outcome);
    input_ = {};
    output_.append(frame(FrameType::refused, 0, why));
    closing_ = true;
}

/// Of one whose reply is due, the rest stays until that comes.
void Connection::end_stream(Stream& stream, Outcome outcome) {
    if (stream.awaited) report(stream, outcome);
    stream.awaited = false;
    if (stream.answer) stream.answer->done(outcome);
    if (stream.sink) std::exchange(stream.sink, nullptr)->cut();
    if (stream.at_handler()) return;
    std::erase(ready_, stream.id);
    streams_.erase(stream.id);
}

void Connection::report(const Stream& stream, Outcome outcome) {
    if (!workspace_.observer) return;
    const auto status = stream.answer ? stream.answer->status() : http::Status::service_unavailable;
    workspace_.observer->answered({.request = &stream.slot.request(),
                                   .origin = origin_,
                                   .status = status,
                                   .outcome = outcome,
                                   .content_bytes = stream.content_sent,
                                   .began = stream.slot.began,
                                   .now = now_});
}

void Connection::expire_streams() {
    for (auto each = streams_.begin(); each != streams_.end();) {
        Stream& stream = *(each++)->second;
        if (!stream.awaited || now_.instant < stream.deadline) continue;
        const std::string_view why = reason_of(stream.timer);
        refuse(stream, why, Outcome::timed_out);
    }
}

}  // namespace weir::tests::multiplex
