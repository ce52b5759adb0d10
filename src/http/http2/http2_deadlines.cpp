// Http2Connection: how long everything may take.

#include <algorithm>
#include <utility>

#include "base/troubles.h"
#include "http/http2/http2_connection.h"
#include "http/pace.h"

namespace weir::http {

Instant Http2Connection::after(std::chrono::milliseconds timeout) const noexcept {
    return timeout == timeout.zero() ? never : now_.instant + timeout;
}

/// A deadline that runs already does not change.
void Http2Connection::set(Instant& deadline, bool is_due,
                          std::chrono::milliseconds timeout) const noexcept {
    if (!is_due)
        deadline = never;
    else if (deadline == never)
        deadline = after(timeout);
}

void Http2Connection::update_deadline() noexcept {
    const Timeouts& timeouts = workspace_.timeouts;
    const bool is_idle = !closing_ && streams_.empty() && output_.empty() && parser_.preface_read();
    const bool is_draining = step_ == Step::drain;
    if (parser_.take_progress()) due_.head = never;
    set(due_.output, !output_.empty(), timeouts.transmit);
    set(due_.head, !closing_ && parser_.is_in_frame() && can_take(), timeouts.head);
    set(due_.idle, is_idle, last_stream_ == 0 ? timeouts.head : timeouts.keep_alive);
    set(due_.drain, is_draining, timeouts.drain);
    set(due_.drained, is_draining, timeouts.drain_total);
    deadline_ = std::min({due_.output, due_.head, due_.idle, due_.drain, due_.drained});
    if (goaway_.has_begun()) [[unlikely]]
        deadline_ = std::min({deadline_, goaway_.due(), due_.gone});
    if (!closing_) deadline_ = std::min(deadline_, due_.streams);
}

/// Whether the peer has taken enough since the last check.
bool Http2Connection::meets_min_rate(std::uint64_t queued) noexcept {
    const std::uint64_t taken = sent_ - std::min(queued, sent_);
    const std::uint64_t since = taken - std::exchange(taken_, taken);
    return since >= bytes_per_look(workspace_.timeouts);
}

/// The same for a stream: a peer may open its window by one byte at a time.
bool Http2Connection::meets_min_rate(Stream& stream) noexcept {
    const std::uint64_t since =
        stream.content_sent - std::exchange(stream.content_looked_at, stream.content_sent);
    return since >= bytes_per_look(workspace_.timeouts);
}

void Http2Connection::do_expire(Now now, std::uint64_t queued) {
    if (now.instant < deadline_ || step_ == Step::close) return;
    now_ = now;
    if (now.instant >= due_.output) {
        due_.output = never;
        if (!meets_min_rate(queued)) {
            troubles().note(Trouble::slow_peers);
            resets_ = true;  // or the kernel keeps megabytes for a peer that does not read
            return cut(Outcome::timed_out);
        }
    }
    if (now.instant >= std::min(due_.drain, due_.drained)) return cut(Outcome::timed_out);
    if (now.instant >= goaway_.due()) {
        // A loop that runs late does not shorten the grace.
        if (due_.gone != never) due_.gone = now.instant + close_grace;
        send_final_goaway();
    }
    if (now.instant >= due_.gone) {
        due_.gone = never;
        if (closing_ || streams_.empty()) return cut(Outcome::timed_out);
    }
    if (now.instant >= due_.idle) {
        end_with(ErrorCode::no_error);
        lingers_ = false;
    }
    if (now.instant >= due_.head) {
        if (tolerance_.received == 0) return close();  // browsers open connections ahead of need
        troubles().note(Trouble::slow_peers);
        end_with(ErrorCode::no_error);
    }
    expire_streams();
    advance(now);
}

/// due_.streams may belong to a stream that is over, or that has a later deadline by now.
void Http2Connection::expire_streams() {
    if (closing_ || now_.instant < due_.streams) return;
    std::vector<StreamId> due;
    due_.streams = never;
    for (const auto& stream : streams_)
        if (stream->is_awaited() && now_.instant >= stream->deadline)
            due.push_back(stream->id);
        else if (stream->is_awaited())
            due_.streams = std::min(due_.streams, stream->deadline);
    for (const StreamId id : due)
        if (Stream* const stream = streams_.find(id)) expire(*stream);
}

void Http2Connection::expire(Stream& stream) {
    if (is_resumed(stream)) return;
    switch (stream.timer) {
        case Timer::transmit:
            if (meets_min_rate(stream) || !is_blocked(stream)) return on<Event::unsent>(stream);
            troubles().note(Trouble::slow_peers);
            return reset(stream, ErrorCode::cancel, Outcome::timed_out);
        case Timer::drain: return reset(stream, ErrorCode::no_error, Outcome::sent);
        case Timer::body:
            troubles().note(Trouble::slow_peers);
            return refuse(stream, Fault::content_too_slow);
        case Timer::handler:
            if (stream.phase == Phase::stalled)
                return reset(stream, ErrorCode::internal_error, Outcome::timed_out);
            return refuse(stream, Fault::handler_too_slow);
        default: return hasten(stream);
    }
}

}  // namespace weir::http
