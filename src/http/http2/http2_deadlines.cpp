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
    const bool is_in_frame = !input_.empty() || section_.is_open() || !preface_read_;
    const bool is_idle = !closing_ && streams_.empty() && output_.empty() && preface_read_;
    const bool is_draining = step_ == Step::drain;
    set(output_deadline_, !output_.empty(), timeouts.transmit);
    set(head_deadline_, !closing_ && is_in_frame && can_take(), timeouts.head);
    set(idle_deadline_, is_idle, last_stream_ == 0 ? timeouts.head : timeouts.keep_alive);
    set(drain_deadline_, is_draining, timeouts.drain);
    set(drained_by_, is_draining, timeouts.drain_total);
    deadline_ =
        std::min({output_deadline_, head_deadline_, idle_deadline_, drain_deadline_, drained_by_});
    if (goaway_begun_) [[unlikely]]
        deadline_ = std::min({deadline_, goaway_deadline_, gone_by_});
    if (!closing_) deadline_ = std::min(deadline_, streams_deadline_);
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
    if (now.instant >= output_deadline_) {
        output_deadline_ = never;
        if (!meets_min_rate(queued)) {
            troubles().note(Trouble::slow_peers);
            resets_ = true;  // or the kernel keeps megabytes for a peer that does not read
            return cut(Outcome::timed_out);
        }
    }
    if (now.instant >= std::min(drain_deadline_, drained_by_)) return cut(Outcome::timed_out);
    if (now.instant >= goaway_deadline_) {
        // A loop that runs late does not shorten the grace.
        if (gone_by_ != never) gone_by_ = now.instant + close_grace;
        send_final_goaway();
    }
    if (now.instant >= gone_by_) {
        gone_by_ = never;
        if (closing_ || streams_.empty()) return cut(Outcome::timed_out);
    }
    if (now.instant >= idle_deadline_) {
        end_with(ErrorCode::no_error);
        lingers_ = false;
    }
    if (now.instant >= head_deadline_) {
        if (tolerance_.received == 0) return close();  // browsers open connections ahead of need
        troubles().note(Trouble::slow_peers);
        end_with(ErrorCode::no_error);
    }
    expire_streams();
    advance(now);
}

/// streams_deadline_ may belong to a stream that is over, or that has a later deadline by now.
void Http2Connection::expire_streams() {
    if (closing_ || now_.instant < streams_deadline_) return;
    std::vector<StreamId> due;
    streams_deadline_ = never;
    for (const auto& stream : streams_)
        if (stream->is_awaited() && now_.instant >= stream->deadline)
            due.push_back(stream->id);
        else if (stream->is_awaited())
            streams_deadline_ = std::min(streams_deadline_, stream->deadline);
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
