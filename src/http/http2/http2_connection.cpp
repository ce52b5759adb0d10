// Http2Connection: from step to step.

#include "http/http2/http2_connection.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "http/answer/dropped.h"
#include "http/http2/exchange.h"
#include "http/http2/sender.h"
#include "http/http2/tunnel_stream.h"

namespace weir::http {

using http2::Event;
using http2::Exchange;
using http2::Phase;
using http2::Stream;
using http2::StreamId;

Http2Connection::Http2Connection(Workspace& workspace, Origin& origin, Now now,
                                 http2::Bounds bounds)
    : session_{workspace, origin, now, bounds},
      parser_{{bounds.continuations, bounds.section_bytes}},
      receiver_{session_},
      share_{workspace.memory} {
    update_deadline();
    if (workspace.connections) workspace.connections->opened();
}

Http2Connection::~Http2Connection() {
    cut(Outcome::stopped);
    share_.resize(0);  // the observer may ask how much memory is in use
    if (auto* const connections = session_.workspace.connections)
        connections->closed(session_.retired, marked_busy_);
}

CloseImpact Http2Connection::do_close_impact() const noexcept {
    const bool closing = session_.closing, has_streams = !session_.streams.empty();
    const bool is_handled =
        !closing && std::ranges::any_of(session_.streams, [](const auto& stream) {
            return stream->is_awaited() && stream->waits_for_this_side();
        });
    if (is_handled) return CloseImpact::handling;
    if (due_.gone != never && (closing || !has_streams)) return CloseImpact::leaving;
    if (closing) return CloseImpact::unfinished;
    if (has_streams || !session_.output.empty()) return CloseImpact::working;
    const bool is_idle = receiver_.last_stream() != 0 && !parser_.has_input();
    return is_idle ? CloseImpact::idle : CloseImpact::unfinished;
}

// ---- the peer's bytes ----

void Http2Connection::do_receive(std::string_view bytes, Now now) {
    session_.now = now;
    if (session_.closing) {
        due_.drain = never;
        return update_deadline();
    }
    const std::uint32_t requests = session_.requests;
    session_.tolerance.received += bytes.size();
    parser_.add(bytes);
    parser_.read(receiver_);
    if (session_.requests != requests) {
        due_.idle = never;
        if (session_.heeds_requests) note_requests();
    }
    if (const auto broken = receiver_.broken_rule()) end_with(*broken);
    if (session_.tolerance.has_too_much_overhead(session_.bounds))
        end_with(ErrorCode::enhance_your_calm);
    advance(now);
}

void Http2Connection::do_receive_end(Now now) {
    session_.now = now;
    session_.input_ended = true;
    advance(now);
}

/// The peer has shut down its side: incomplete requests stay incomplete.
void Http2Connection::end_what_waits_for_peer() {
    std::vector<StreamId> cut;
    for (const auto& stream : session_.streams) {
        // Its next turn ends the stream.
        if (stream->timer == http2::Timer::transmit) session_.queue(*stream);
        const bool is_incomplete =
            !stream->peer_ended &&
            (!stream->has_answer() || stream->is_tunnel() || stream->phase == Phase::draining);
        const bool ends = !session_.workspace.limits.half_close && stream->ends_with_peer();
        if (stream->is_awaited() && (is_incomplete || ends)) cut.push_back(stream->id);
    }
    for (const StreamId id : cut) session_.end(*session_.streams.find(id), Outcome::peer_gone);
}

// ---- the host's requests and responses ----

const Request& Http2Connection::do_take_request() {
    Stream& stream = *session_.streams.find(session_.ready.front());
    session_.ready.erase(session_.ready.begin());
    stream.at_handler = true;
    session_.on<Event::taken>(stream);
    last_taken_ = std::max(last_taken_, stream.id);
    step_ = next_step();
    return stream.slot.request();
}

bool Http2Connection::do_awaits(RequestId id) const noexcept {
    const Stream* const stream = session_.streams.find(static_cast<StreamId>(id));
    return stream != nullptr && stream->at_handler && stream->phase == Phase::handling;
}

void Http2Connection::do_respond(RequestId id, Reply&& reply, Now now) {
    session_.now = now;
    Stream* const stream = session_.streams.find(static_cast<StreamId>(id));
    if (stream == nullptr || !stream->at_handler) return drop(std::move(reply), Outcome::timed_out);
    Exchange{session_, *stream}.respond(std::move(reply));
    advance(now);
}

void Http2Connection::do_wake(RequestId id, Now now) {
    session_.now = now;
    Stream* const stream = session_.find_awaited(static_cast<StreamId>(id));
    if (stream == nullptr) return;
    Exchange{session_, *stream}.wake();
    if (!session_.closing) charge();  // not every engine turns to others between two calls
    advance(now);
}

// ---- output ----

Transmission Http2Connection::do_transmit() { return session_.output.transmit(session_.closing); }

void Http2Connection::do_transmitted(std::uint64_t size, Now now) {
    session_.now = now;
    sent_ += size;
    http2::OutputQueue& output = session_.output;
    const StreamId file_stream = output.file_stream();
    output.sent(size, [this](const http2::OutputQueue::Mark& mark) {
        if (Stream* const stream = session_.find_awaited(mark.stream))
            Exchange{session_, *stream}.sent(mark);
    });
    if (output.is_sent()) {
        output.begin_next();
        // The file may belong to a stream that was reset meanwhile.
        Stream* const stream = file_stream != 0 ? session_.streams.find(file_stream) : nullptr;
        if (stream != nullptr) session_.remove_if_over(*stream);
    }
    due_.output = output.empty() ? never : due_.output;
    advance(now);
}

// ---- the end ----

/// The client may send requests that no handler has taken again, elsewhere (RFC 9113 6.8).
void Http2Connection::do_turn_away(Now now) {
    session_.now = now;
    end_with(ErrorCode::no_error);
    advance(now);
}

/// The connection is older than the grace for a first request.
void Http2Connection::do_evict(Now now) {
    session_.now = now;
    if (session_.closing || !parser_.preface_read()) return cut(Outcome::stopped);
    due_.gone = now.instant + request_grace + close_grace;
    begin_goaway(request_grace);
    advance(now);
}

void Http2Connection::do_retire(Now now) {
    constexpr std::chrono::milliseconds first_request_grace{1'000};
    session_.now = now;
    if (step_ == Step::close) return;
    if (!session_.streams.empty() || !session_.output.empty()) mark_busy();
    auto* const connections = session_.workspace.connections;
    if (!std::exchange(session_.retired, true) && connections) connections->retired();
    session_.heeds_requests = true;
    for (const auto& stream : session_.streams)
        if (stream->content) http2::Exchange{session_, *stream}.retire();
    begin_goaway(receiver_.last_stream() == 0 ? first_request_grace : request_grace);
    advance(now);
}

void Http2Connection::do_fail(Outcome why, Now now) {
    session_.now = now;
    cut(why);
}

void Http2Connection::do_take_ownership(Now /*now*/) {
    session_.output.keep();  // first: the workspace is shared
    parser_.keep_no_more_than_input();
    if (session_.streams.empty()) {
        session_.output.release();
        std::vector<StreamId>{}.swap(session_.ready);
        session_.turns.release();
    }
    if (!session_.closing) charge();
}

/// RFC 9113 6.8: in two steps, so that requests on their way are served.
void Http2Connection::begin_goaway(std::chrono::milliseconds grace) {
    if (session_.closing) return;
    receiver_.goaway().begin(session_.now.instant + grace, replies_if_begun());
}

/// Ends the connection with a GOAWAY: the peer broke a rule, or there is no place for it.
void Http2Connection::end_with(ErrorCode code) {
    if (std::exchange(session_.closing, true)) return;
    if (code == ErrorCode::enhance_your_calm) troubles().note(Trouble::calmed_peers);
    lingers_ = true;
    parser_.stop();
    if (parser_.preface_read()) http2::append_goaway(session_.replies(), last_taken_, code);
    session_.abandon_all(Outcome::peer_gone);
}

/// Memory that the kernel may still be sending (output, files) lives as long as the connection.
void Http2Connection::cut(Outcome why) noexcept {
    if (step_ == Step::close) return;
    session_.abandon_all(why);
    close();
}

void Http2Connection::close() noexcept {
    session_.output.drop_shared();
    session_.ready.clear();
    session_.turns.clear();
    parser_.stop();
    step_ = Step::close;
    deadline_ = never;
}

void Http2Connection::note_requests() noexcept {
    session_.report_begun();
    if (session_.retired) mark_busy();
}

/// The server stops, and this connection has a request: since before, or since a moment ago.
void Http2Connection::mark_busy() noexcept {
    auto* const connections = session_.workspace.connections;
    if (!std::exchange(marked_busy_, true) && connections) connections->busy();
}

/// Counts the memory of this connection. Beyond the limit of all connections, there is none for it.
void Http2Connection::charge() {
    std::size_t bytes = session_.output.bytes() + receiver_.bytes() + parser_.bytes();
    for (const auto& stream : session_.streams) bytes += stream->bytes();
    if (!share_.resize(bytes)) throw std::bad_alloc{};
}

// ---- from step to step ----

/// Renders output, once all received requests are taken.
void Http2Connection::advance(Now now) {
    if (step_ == Step::close) return;
    session_.now = now;
    if (session_.input_ended && !session_.closing) end_what_waits_for_peer();
    if (std::exchange(session_.is_last_answer, false)) begin_goaway(request_grace);
    if (session_.ready.empty() || session_.closing) http2::Sender{session_}.fill_output();
    if (!session_.closing && is_finished()) begin_closing(now);
    step_ = next_step();
    if (step_ == Step::close) return close();
    if (reads(step_)) parser_.keep();
    update_deadline();
}

Step Http2Connection::next_step() const noexcept {
    const bool has_output = !session_.output.empty();
    if (session_.closing) {
        if (has_output) return Step::transmit;
        return lingers_ && !session_.input_ended ? Step::drain : Step::close;
    }
    if (!session_.ready.empty()) return Step::handle;
    const bool takes = can_take();
    if (has_output) return takes ? Step::exchange : Step::transmit;
    return takes ? Step::receive : Step::wait;
}

/// No input is read from a peer that does not read this side's own frames. Other memory has bounds of
/// its own.
bool Http2Connection::can_take() const noexcept {
    return !session_.input_ended && session_.output.replies_size() < session_.bounds.reply_bytes;
}

/// No request is under way, and no further one comes.
bool Http2Connection::is_finished() const noexcept {
    const bool may_be =
        session_.output.empty() && (receiver_.goaway().is_final() || session_.input_ended);
    return may_be && std::ranges::all_of(session_.streams, [](const auto& stream) {
               return stream->phase == Phase::draining;
           });
}

/// An idle client may not read from the connection for long. If it has read its last response, a reset
/// can't destroy that.
void Http2Connection::begin_closing(Now now) noexcept {
    const bool was_idle = session_.retired && !marked_busy_;
    session_.closing = true;
    lingers_ = !was_idle || (parser_.preface_read() && !receiver_.goaway().is_heard());
    if (was_idle) due_.gone = now.instant + close_grace;
}

}  // namespace weir::http
