// Http2Connection: from step to step.

#include "http/http2/http2_connection.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "http/answer/dropped.h"

namespace weir::http {

Http2Connection::Http2Connection(Workspace& workspace, Origin& origin, Now now,
                                 http2::Bounds bounds)
    : workspace_{workspace},
      origin_{origin},
      bounds_{bounds},
      now_{now},
      streams_{http2::StreamPool::of(workspace)},
      output_{workspace.output},
      parser_{{bounds.continuations, bounds.section_bytes}},
      receive_window_{bounds.connection_window},
      tolerance_{bounds},
      share_{workspace.memory} {
    update_deadline();
    if (workspace.connections) workspace.connections->opened();
}

Http2Connection::~Http2Connection() {
    cut(Outcome::stopped);
    share_.resize(0);  // the observer may ask how much memory is in use
    if (workspace_.connections) workspace_.connections->closed(retired_, marked_busy_);
}

CloseImpact Http2Connection::do_close_impact() const noexcept {
    const bool is_handled = !closing_ && std::ranges::any_of(streams_, [](const auto& stream) {
        return stream->is_awaited() && stream->waits_for_this_side();
    });
    if (is_handled) return CloseImpact::handling;
    if (due_.gone != never && (closing_ || streams_.empty())) return CloseImpact::leaving;
    if (closing_) return CloseImpact::unfinished;
    if (!streams_.empty() || !output_.empty()) return CloseImpact::working;
    return last_stream_ != 0 && !parser_.has_input() ? CloseImpact::idle : CloseImpact::unfinished;
}

const Request& Http2Connection::do_take_request() {
    Stream& stream = *streams_.find(ready_.front());
    ready_.erase(ready_.begin());
    stream.at_handler = true;
    on<Event::taken>(stream);
    last_taken_ = std::max(last_taken_, stream.id);
    step_ = next_step();
    return stream.slot.request();
}

bool Http2Connection::do_awaits(RequestId id) const noexcept {
    const Stream* const stream = streams_.find(static_cast<StreamId>(id));
    return stream != nullptr && stream->at_handler && stream->phase == Phase::handling;
}

void Http2Connection::do_respond(RequestId id, Reply&& reply, Now now) {
    now_ = now;
    Stream* const stream = streams_.find(static_cast<StreamId>(id));
    if (stream == nullptr || !stream->at_handler) return drop(std::move(reply), Outcome::timed_out);
    const bool is_late = stream->phase != Phase::handling;
    if (auto* later = std::get_if<Later>(&reply); later && !(is_late && later->continuation)) {
        if (!is_late) start_continuation(*stream, std::move(*later));
        return advance(now);
    }
    stream->at_handler = false;
    stream->continuation.reset();  // another thread has responded
    if (is_late) {
        drop(std::move(reply), stream->is_awaited() ? Outcome::timed_out : Outcome::peer_gone);
        remove_if_over(*stream);
    } else if (auto* response = std::get_if<Response>(&reply)) {
        answer(*stream, std::move(*response));
    } else {
        auto* streamed = std::get_if<StreamContent>(&reply);
        begin_content(*stream, streamed != nullptr ? std::move(streamed->sink) : nullptr);
    }
    advance(now);
}

void Http2Connection::do_wake(RequestId id, Now now) {
    now_ = now;
    Stream* const stream = streams_.find(static_cast<StreamId>(id));
    if (stream == nullptr || !stream->is_awaited()) return;
    if (stream->content && stream->content->waits_for_wake()) wake_source(*stream);
    stream->continuation ? go_on(*stream) : resume_content(*stream);
    advance(now);
}

Transmission Http2Connection::do_transmit() { return output_.transmit(closing_); }

void Http2Connection::do_transmitted(std::uint64_t size, Now now) {
    now_ = now;
    sent_ += size;
    const StreamId file_stream = output_.file_stream();
    output_.sent(size, [this](const http2::OutputQueue::Mark& mark) {
        Stream* const stream = streams_.find(mark.stream);
        if (stream == nullptr || !stream->is_awaited()) return;
        stream->content_sent += mark.content_bytes;
        mark.is_last ? answer_sent(*stream) : note_sent(*stream);
    });
    if (output_.is_sent()) {
        output_.begin_next();
        // The file may belong to a stream that was reset meanwhile.
        Stream* const stream = file_stream != 0 ? streams_.find(file_stream) : nullptr;
        if (stream != nullptr) remove_if_over(*stream);
    }
    due_.output = output_.empty() ? never : due_.output;
    advance(now);
}

/// The client may send requests that no handler has taken again, elsewhere (RFC 9113 6.8).
void Http2Connection::do_turn_away(Now now) {
    now_ = now;
    end_with(ErrorCode::no_error);
    advance(now);
}

/// The connection is older than the grace for a first request.
void Http2Connection::do_evict(Now now) {
    now_ = now;
    if (closing_ || !parser_.preface_read()) return cut(Outcome::stopped);
    due_.gone = now.instant + request_grace + close_grace;
    begin_goaway(request_grace);
    advance(now);
}

void Http2Connection::do_retire(Now now) {
    constexpr std::chrono::milliseconds first_request_grace{1'000};
    now_ = now;
    if (step_ == Step::close) return;
    if (!streams_.empty() || !output_.empty()) mark_busy();
    if (!std::exchange(retired_, true) && workspace_.connections) workspace_.connections->retired();
    retire_tunnels();
    begin_goaway(last_stream_ == 0 ? first_request_grace : request_grace);
    advance(now);
}

void Http2Connection::do_fail(Outcome why, Now now) {
    now_ = now;
    cut(why);
}

void Http2Connection::do_take_ownership(Now /*now*/) {
    output_.keep();  // first: the workspace is shared
    parser_.keep_no_more_than_input();
    if (streams_.empty()) {
        output_.release();
        std::vector<StreamId>{}.swap(ready_);
        turns_.release();
    }
    if (!closing_) charge();
}

// ---- from step to step ----

/// Removes a stream that no handler has any more, and whose file is not being sent.
void Http2Connection::remove_if_over(const Stream& stream) {
    if (stream.is_awaited() || stream.at_handler || output_.file_stream() == stream.id) return;
    streams_.remove(stream);
}

/// Renders output, once all received requests are taken.
void Http2Connection::advance(Now now) {
    if (step_ == Step::close) return;
    now_ = now;
    if (ready_.empty() || closing_) fill_output();
    if (!closing_ && is_finished()) {
        closing_ = true;
        // An idle client may not read from the connection for long. If it has read its last
        // response, a reset can't destroy that.
        const bool was_idle = retired_ && !marked_busy_;
        lingers_ = !was_idle || (parser_.preface_read() && !goaway_.is_heard());
        if (was_idle) due_.gone = now.instant + close_grace;
    }
    step_ = next_step();
    if (step_ == Step::close) return close();
    if (reads(step_)) parser_.keep();
    update_deadline();
}

Step Http2Connection::next_step() const noexcept {
    if (closing_) {
        if (!output_.empty()) return Step::transmit;
        return lingers_ && !input_ended_ ? Step::drain : Step::close;
    }
    if (!ready_.empty()) return Step::handle;
    const bool takes = can_take();
    if (!output_.empty()) return takes ? Step::exchange : Step::transmit;
    return takes ? Step::receive : Step::wait;
}

/// No input is read from a peer that does not read this side's own frames. Other memory has bounds of
/// its own.
bool Http2Connection::can_take() const noexcept {
    return !input_ended_ && output_.replies_size() < bounds_.reply_bytes;
}

/// No request is under way, and no further one comes.
bool Http2Connection::is_finished() const noexcept {
    const bool may_be = output_.empty() && (goaway_.is_final() || input_ended_);
    return may_be && std::ranges::all_of(streams_, [](const auto& stream) {
               return stream->phase == Phase::draining;
           });
}

/// RFC 9113 6.8: in two steps, so that requests on their way are served.
void Http2Connection::begin_goaway(std::chrono::milliseconds grace) {
    if (!closing_) goaway_.begin(now_.instant + grace, replies_if_begun());
}

/// The second step: the peer has read the first GOAWAY, or had time enough.
void Http2Connection::send_final_goaway() { goaway_.finish(last_stream_, replies_if_begun()); }

/// Ends the connection with a GOAWAY: the peer broke a rule, or there is no place for it.
void Http2Connection::end_with(ErrorCode code) {
    if (std::exchange(closing_, true)) return;
    if (code == ErrorCode::enhance_your_calm) troubles().note(Trouble::calmed_peers);
    lingers_ = true;
    parser_.stop();
    if (parser_.preface_read()) http2::append_goaway(replies(), last_taken_, code);
    for (const auto& stream : streams_) abandon(*stream, Outcome::peer_gone);
    ready_.clear();
    turns_.clear();
}

/// Ends a stream: its source, sink and continuation get the outcome. Its memory stays.
void Http2Connection::abandon(Stream& stream, Outcome why) noexcept {
    if (stream.is_awaited()) {
        report(stream, why);
        on<Event::closes>(stream);
    }
    stream.end(why);
}

/// Memory that the kernel may still be sending (output, files) lives as long as the connection.
void Http2Connection::cut(Outcome why) noexcept {
    if (step_ == Step::close) return;
    for (const auto& stream : streams_) abandon(*stream, why);
    close();
}

void Http2Connection::close() noexcept {
    output_.drop_shared();
    parser_.stop();
    ready_.clear();
    turns_.clear();
    step_ = Step::close;
    deadline_ = never;
}

/// The server stops, and this connection has a request: since before, or since a moment ago.
void Http2Connection::mark_busy() noexcept {
    if (!std::exchange(marked_busy_, true) && workspace_.connections)
        workspace_.connections->busy();
}

/// Counts the memory of this connection. Beyond the limit of all connections, there is none for it.
void Http2Connection::charge() {
    std::size_t bytes = output_.bytes() + decoder_.bytes() + parser_.bytes();
    for (const auto& stream : streams_) bytes += stream->bytes();
    if (!share_.resize(bytes)) throw std::bad_alloc{};
}

}  // namespace weir::http
