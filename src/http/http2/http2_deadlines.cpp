// Http2Connection: how long everything may take.

#include <algorithm>
#include <utility>

#include "base/troubles.h"
#include "http/http2/exchange.h"
#include "http/http2/http2_connection.h"
#include "http/pace.h"

namespace weir::http {

/// A deadline that runs already does not change.
void Http2Connection::set(Instant& deadline, bool is_due,
                          std::chrono::milliseconds timeout) const noexcept {
    if (!is_due)
        deadline = never;
    else if (deadline == never && timeout != timeout.zero())
        deadline = session_.now.instant + timeout;
}

void Http2Connection::update_deadline() noexcept {
    const Timeouts& timeouts = session_.workspace.timeouts;
    const bool closing = session_.closing, has_output = !session_.output.empty();
    const bool is_idle =
        !closing && session_.streams.empty() && !has_output && parser_.preface_read();
    const bool is_draining = step_ == Step::drain;
    if (parser_.take_progress()) due_.head = never;
    set(due_.output, has_output, timeouts.transmit);
    set(due_.head, !closing && parser_.is_in_frame() && can_take(), timeouts.head);
    set(due_.idle, is_idle, receiver_.last_stream() == 0 ? timeouts.head : timeouts.keep_alive);
    set(due_.drain, is_draining, timeouts.drain);
    set(due_.drained, is_draining, timeouts.drain_total);
    deadline_ = std::min({due_.output, due_.head, due_.idle, due_.drain, due_.drained});
    if (receiver_.goaway().has_begun()) [[unlikely]]
        deadline_ = std::min({deadline_, receiver_.goaway().due(), due_.gone});
    if (!closing) deadline_ = std::min(deadline_, session_.streams_due);
}

/// Whether the peer has taken enough since the last check.
bool Http2Connection::meets_min_rate(std::uint64_t queued) noexcept {
    const std::uint64_t taken = sent_ - std::min(queued, sent_);
    const std::uint64_t since = taken - std::exchange(taken_, taken);
    return since >= bytes_per_look(session_.workspace.timeouts);
}

void Http2Connection::do_expire(Now now, std::uint64_t queued) {
    if (now.instant < deadline_ || step_ == Step::close) return;
    session_.now = now;
    if (now.instant >= due_.output) {
        due_.output = never;
        if (!meets_min_rate(queued)) {
            troubles().note(Trouble::slow_peers);
            resets_ = true;  // or the kernel keeps megabytes for a peer that does not read
            return cut(Outcome::timed_out);
        }
    }
    if (now.instant >= std::min(due_.drain, due_.drained)) return cut(Outcome::timed_out);
    if (now.instant >= receiver_.goaway().due()) {
        // A loop that runs late does not shorten the grace.
        if (due_.gone != never) due_.gone = now.instant + close_grace;
        receiver_.goaway().finish(receiver_.last_stream(), replies_if_begun());
    }
    if (now.instant >= due_.gone) {
        due_.gone = never;
        if (session_.closing || session_.streams.empty()) return cut(Outcome::timed_out);
    }
    if (now.instant >= due_.idle) {
        end_with(ErrorCode::no_error);
        lingers_ = false;
    }
    if (now.instant >= due_.head) {
        if (session_.tolerance.received == 0) return close();  // browsers open connections early
        troubles().note(Trouble::slow_peers);
        end_with(ErrorCode::no_error);
    }
    expire_streams();
    advance(now);
}

/// `streams_due` may belong to a stream that is over, or that has a later deadline by now.
void Http2Connection::expire_streams() {
    if (session_.closing || session_.now.instant < session_.streams_due) return;
    std::vector<http2::StreamId> due;
    session_.streams_due = never;
    for (const auto& stream : session_.streams)
        if (stream->is_awaited() && session_.now.instant >= stream->deadline)
            due.push_back(stream->id);
        else if (stream->is_awaited())
            session_.streams_due = std::min(session_.streams_due, stream->deadline);
    for (const http2::StreamId id : due)
        if (http2::Stream* const stream = session_.streams.find(id))
            http2::Exchange{session_, *stream}.expire();
}

}  // namespace weir::http
