// Connection: from step to step.

#include "support/multiplex_connection.h"

#include "http/answer/dropped.h"

#include <algorithm>
#include <utility>

namespace weir::tests::multiplex {

using http::Step;

Connection::Connection(http::Workspace& workspace, http::Origin& origin, Now now, Bounds bounds)
    : workspace_{workspace}, origin_{origin}, bounds_{bounds}, now_{now} {
    if (workspace_.connections) workspace_.connections->opened();
    advance(now);
}

Connection::~Connection() {
    cut(Outcome::stopped);
    if (workspace_.connections) workspace_.connections->closed(retired_, noted_work_);
}

void Connection::do_receive(std::string_view bytes, Now now) {
    if (closing_) {
        now_ = now;
        drain_deadline_ = never;
        return update_deadline();
    }
    if (input_.empty()) {
        input_ = bytes;
    } else {  // behind a frame that has begun
        kept_input_.erase(0, static_cast<std::size_t>(input_.data() - kept_input_.data()));
        input_ = kept_input_.append(bytes);
    }
    advance(now);
}

void Connection::do_receive_end(Now now) {
    input_ended_ = true;
    advance(now);
}

const http::Request& Connection::do_take_request() {
    Stream& stream = *find(ready_.front());
    ready_.pop_front();
    stream.phase = Stream::Phase::at_handler;
    ++at_handlers_;
    step_ = next_step();
    if (reads(step_)) keep_input();
    return stream.slot.request();
}

bool Connection::do_awaits(http::RequestId id) const noexcept {
    const Stream* const stream = find(id);
    return stream && stream->at_handler() && stream->awaited;
}

void Connection::do_respond(http::RequestId id, Reply&& reply, Now now) {
    now_ = now;
    Stream* const stream = find(id);
    if (!stream || !stream->at_handler()) return http::drop(std::move(reply), Outcome::peer_gone);
    if (std::holds_alternative<http::Later>(reply)) {
        if (stream->awaited) arm(*stream, Stream::Timer::handler);
        return advance(now);
    }
    --at_handlers_;
    if (!stream->awaited) {
        http::drop(std::move(reply), Outcome::peer_gone);
        streams_.erase(stream->id);
    } else if (auto* response = std::get_if<http::Response>(&reply)) {
        answer(*stream, std::move(*response));
    } else {
        auto* streamed = std::get_if<http::StreamContent>(&reply);
        begin_content(*stream, streamed ? std::move(streamed->sink) : nullptr);
    }
    advance(now);
}

void Connection::do_wake(http::RequestId id, Now now) {
    now_ = now;
    Stream* const stream = find(id);
    if (!stream) return;
    if (stream->answer) stream->answer->wake();
    if (std::exchange(stream->sink_pauses, false)) deliver_content(*stream);
    advance(now);
}

http::Transmission Connection::do_transmit() { return output_.transmit(closing_); }

void Connection::do_transmitted(std::uint64_t size, Now now) {
    now_ = now;
    sent_ += size;
    for (const Output::Mark& mark : output_.sent(size)) {
        Stream* const stream = find(mark.stream);
        if (!stream || !stream->answer) continue;
        stream->content_sent += mark.content_bytes;
        if (mark.is_last) end_stream(*stream, Outcome::sent);
    }
    advance(now);
}

void Connection::do_expire(Now now, std::uint64_t queued) {
    if (now.instant < deadline_) return;
    now_ = now;
    if (now.instant >= output_deadline_ && !takes_enough(queued)) {
        resets_ = true;
        return cut(Outcome::timed_out);
    }
    if (now.instant >= std::min({drain_deadline_, drained_by_, idle_deadline_}))
        return cut(Outcome::timed_out);
    if (now.instant >= head_deadline_) refuse_all("frame too slow", Outcome::peer_gone);
    expire_streams();
    advance(now);
}

void Connection::do_turn_away(Now now) {
    now_ = now;
    refuse_all("overloaded", Outcome::stopped);
    advance(now);
}

void Connection::do_retire(Now now) {
    now_ = now;
    if (step_ == Step::close) return;
    // As from a connection that waited in the backlog: its requests come a moment later.
    constexpr std::chrono::milliseconds first_request_grace{1'000};
    if (last_stream_ == 0 && grace_deadline_ == never)
        grace_deadline_ = now.instant + first_request_grace;
    if (!streams_.empty() || !output_.empty()) note_work();
    if (!std::exchange(retired_, true) && workspace_.connections) workspace_.connections->retired();
    leaves_ = true;
    advance(now);
}

void Connection::do_fail(Outcome why, Now now) {
    now_ = now;
    cut(why);
}

// ---- from step to step ----

void Connection::advance(Now now) {
    if (step_ == Step::close) return;
    now_ = now;
    read_frames();
    if (input_ended_ && can_take()) cut_unfinished_content();
    fill_output();
    if (leaves_ && can_take()) say_goaway();
    if (is_finished()) closing_ = true;
    if (closing_ && input_ended_ && output_.empty()) return close();
    step_ = next_step();
    if (reads(step_)) keep_input();
    update_deadline();
}

http::CloseImpact Connection::do_close_impact() const noexcept {
    if (has_live_streams() || !output_.empty()) return http::CloseImpact::working;
    return last_stream_ != 0 && input_.empty() ? http::CloseImpact::idle
                                               : http::CloseImpact::unfinished;
}

http::Step Connection::next_step() const {
    if (closing_) return output_.empty() ? Step::drain : Step::transmit;
    if (!ready_.empty() && at_handlers_ < bounds_.requests) return Step::handle;
    const bool takes = can_take() && !input_ended_;
    if (!output_.empty()) return takes ? Step::exchange : Step::transmit;
    return takes ? Step::receive : Step::wait;
}

bool Connection::can_take() const noexcept {
    return !closing_ && ready_.size() + at_handlers_ < bounds_.requests &&
           output_.size() < bounds_.output_bytes;
}

/// What has arrived was taken by now. The peer learns which of its streams were.
void Connection::say_goaway() {
    if (last_stream_ == 0 && now_.instant < grace_deadline_) return;
    if (std::exchange(goaway_said_, true)) return;
    output_.append(number_frame(FrameType::goaway, 0, last_stream_));
}

/// A canceled request is work until its handler returned, or its time is over.
bool Connection::is_finished() const {
    if (!(goaway_said_ || input_ended_) || !can_take()) return false;
    return std::ranges::none_of(streams_, [this](const auto& each) {
        const Stream& stream = *each.second;
        return stream.awaited || (!input_ended_ && stream.deadline > now_.instant);
    });
}

bool Connection::has_live_streams() const {
    return std::ranges::any_of(streams_, [](const auto& each) { return each.second->awaited; });
}

/// Does nothing where it lies there already.
void Connection::keep_input() {
    if (input_.empty() || (input_.data() >= kept_input_.data() &&
                           input_.data() < kept_input_.data() + kept_input_.size()))
        return;
    kept_input_.assign(input_);
    input_ = kept_input_;
}

Instant Connection::after(std::chrono::milliseconds timeout) const noexcept {
    return timeout == timeout.zero() ? never : now_.instant + timeout;
}

/// Keeps a deadline that runs already.
void Connection::set(Instant& deadline, bool is_due,
                     std::chrono::milliseconds timeout) const noexcept {
    if (!is_due)
        deadline = never;
    else if (deadline == never)
        deadline = after(timeout);
}

/// Since the last look; the next one is due.
bool Connection::takes_enough(std::uint64_t queued) {
    const http::Timeouts& timeouts = workspace_.timeouts;
    const auto per_look =
        static_cast<std::uint64_t>(timeouts.transmit.count()) * timeouts.transmit_rate_min / 1000;
    const std::uint64_t taken = sent_ - std::min(queued, sent_);
    output_deadline_ = never;
    return taken >= std::exchange(taken_, taken) + std::max<std::uint64_t>(per_look, 1);
}

void Connection::update_deadline() {
    const http::Timeouts& timeouts = workspace_.timeouts;
    const bool is_idle = !closing_ && output_.empty() && !has_live_streams() && input_.empty();
    set(output_deadline_, !output_.empty(), timeouts.transmit);
    set(head_deadline_, !closing_ && can_take() && !input_.empty(), timeouts.head);
    set(idle_deadline_, is_idle, last_stream_ == 0 ? timeouts.head : timeouts.keep_alive);
    set(drain_deadline_, step_ == Step::drain, timeouts.drain);
    set(drained_by_, step_ == Step::drain, timeouts.drain_total);
    deadline_ =
        std::min({output_deadline_, head_deadline_, idle_deadline_, drain_deadline_, drained_by_});
    if (leaves_ && !goaway_said_) deadline_ = std::min(deadline_, grace_deadline_);
    for (const auto& [id, stream] : streams_)
        if (stream->awaited || leaves_) deadline_ = std::min(deadline_, stream->deadline);
}

/// The output stays as it is: the kernel may still be sending it.
void Connection::close() noexcept {
    input_ = {};
    step_ = Step::close;
    deadline_ = never;
}

void Connection::cut(Outcome why) {
    if (step_ == Step::close) return;
    for (auto each = streams_.begin(); each != streams_.end();) end_stream(*(each++)->second, why);
    close();
}

void Connection::note_work() noexcept {
    if (!std::exchange(noted_work_, true) && workspace_.connections)
        workspace_.connections->at_work();
}

Stream* Connection::find(std::uint64_t id) const noexcept {
    const auto found = streams_.find(static_cast<std::uint32_t>(id));
    return found == streams_.end() ? nullptr : found->second.get();
}

}  // namespace weir::tests::multiplex
