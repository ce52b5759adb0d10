#include "http/http1/http1_connection.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "base/troubles.h"
#include "http/answer/dropped.h"
#include "http/http1/http1_retained.h"
#include "http/kept_input.h"
#include "http/pace.h"

namespace weir::http {
namespace {

/// The response if there is no memory for another one. RFC 9110 6.6.1 asks for no Date here.
constexpr std::string_view static_503 =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

}  // namespace

Http1Connection::Http1Connection(Workspace& workspace, Origin& origin, Now now)
    : workspace_{workspace}, origin_{origin} {
    on<Event::opened>(now);
    if (workspace.connections) workspace.connections->opened();
}

Http1Connection::~Http1Connection() {
    close();
    retained_.reset();  // the observer may ask how much memory is in use
    if (workspace_.connections) workspace_.connections->closed(retiring_, marked_busy_);
}

void Http1Connection::do_receive_end(Now now) {
    if (is_tunnel()) return end_input_of_tunnel(now);
    // Every complete request has its response: a connection that still makes one is not at `receive`.
    // The rest of the input is an incomplete request, and is not handled (RFC 9112 8).
    close();
}

CloseImpact Http1Connection::do_close_impact() const noexcept {
    if (phase_ >= Phase::draining) return CloseImpact::unfinished;
    if (step_ != Step::receive || phase_ > Phase::head) return CloseImpact::working;
    return phase_ == Phase::idle && requests_ != 0 ? CloseImpact::idle : CloseImpact::unfinished;
}

const Request& Http1Connection::do_take_request() {
    output().empty() ? on<Event::taken>({}) : on<Event::taken_unsent>({});
    return slot().request();
}

bool Http1Connection::do_awaits(RequestId id) const noexcept { return is_current(id); }

void Http1Connection::do_wake(RequestId id, Now now) {
    if (id != requests_) return;
    if (has_continuation()) return go_on(now);
    if (is_tunnel()) return go_on_in_tunnel(now);
    if (phase_ != Phase::paused && phase_ != Phase::stalled) return;
    on<Event::woken>(now);
    if (step_ == Step::wait) phase_ == Phase::content ? read_content(now) : pull(now);
}

Transmission Http1Connection::do_transmit() {
    Transmission transmission;
    transmission.ends = phase_ == Phase::closing;
    std::size_t count = 0;
    if (const OutputBuffer& buffer = output(); !buffer.empty())
        transmission.parts[count++] = buffer.unsent();
    if (outgoing_) {
        transmission.parts[count] = outgoing_->bytes();
        transmission.file = outgoing_->file();
    } else if (static_503_left_ != 0) [[unlikely]] {
        transmission.parts[count] = static_503.substr(static_503.size() - static_503_left_);
    }
    return transmission;
}

void Http1Connection::do_transmitted(std::uint64_t size, Now now) {
    OutputBuffer& buffer = output();
    const auto of_buffer = std::min<std::uint64_t>(size, buffer.size());
    buffer.sent(of_buffer);
    sent_ += static_cast<std::uint32_t>(size);
    if (outgoing_)
        outgoing_->sent(size - of_buffer);
    else if (static_503_left_ != 0) [[unlikely]]
        return static_503_sent(size - of_buffer, now);
    if (!buffer.empty() || (outgoing_ && !outgoing_->empty()))
        return on<Event::unsent>(now, rate_check_at());
    if (phase_ == Phase::sending) return pull(now, rate_check_at());
    all_sent(now);
}

void Http1Connection::do_expire(Now now, std::uint64_t queued) {
    if (now.instant < deadline_) return;
    switch (timer_) {
        case Timer::head:
            // Browsers open connections ahead of need. A silent one gets no 408.
            if (!head_started()) return close();
            troubles().note(Trouble::slow_peers);
            return refuse(Fault::head_too_slow, now);
        case Timer::body:
            if (is_resumed(now)) return;
            troubles().note(Trouble::slow_peers);
            return refuse(Fault::content_too_slow, now);
        case Timer::handler:
            if (is_resumed(now)) return;
            if (outgoing_) return cut(Outcome::timed_out, now);
            // Earlier responses are still being sent, and must not move. The peer is slow: its own
            // deadline runs now, and the handler goes on for that time.
            if (step_ == Step::transmit) return on<Event::unsent>(now);
            return refuse(Fault::handler_too_slow, now);
        case Timer::transmit:
            if (meets_min_rate(queued)) return on<Event::unsent>(now);
            troubles().note(Trouble::slow_peers);
            resets_ = true;  // or the kernel keeps megabytes for a peer that does not read
            return cut(Outcome::timed_out, now);
        case Timer::tunnel: return pump_tunnel(now);
        case Timer::keep_alive:
        case Timer::drain:
        case Timer::grace:
        case Timer::none: return close();
    }
}

void Http1Connection::do_turn_away(Now now) {
    is_tunnel() ? cut(Outcome::stopped, now) : refuse(Fault::overloaded, now);
}

void Http1Connection::do_retire(Now now) {
    // A request may be on its way, above all the first one of a connection that waited in the
    // backlog. So an idle connection closes a little later. Otherwise the client would have to send
    // the request again (RFC 9112 9.5).
    constexpr std::chrono::milliseconds first_request_grace{1'000};
    const bool is_idle = step_ == Step::receive && phase_ <= Phase::head && !head_started();
    if (!is_idle && phase_ < Phase::draining) mark_busy();
    if (!std::exchange(retiring_, true) && workspace_.connections)
        workspace_.connections->retired();
    if (is_tunnel()) return retire_tunnel(now);
    if (!is_idle) return;
    const auto next_request_grace = workspace_.timeouts.last_request;
    const auto grace =
        requests_ == 0 ? std::max(first_request_grace, next_request_grace) : next_request_grace;
    on<Event::retired>(now, std::min(deadline_, now.instant + grace));
}

void Http1Connection::do_fail(Outcome why, Now now) { cut(why, now); }

void Http1Connection::do_take_ownership(Now /*now*/) {
    if (!workspace_.output.empty()) keep_output();  // first: the workspace is shared
    if (!input_.empty()) keep_input(input_, retained().input);
    // While a response is being sent, only the observer still needs the request.
    const bool needs_slot = (phase_ >= Phase::head && phase_ <= Phase::paused) ||
                            (phase_ >= Phase::sending && phase_ <= Phase::tunnel_paused &&
                             workspace_.observer != nullptr);
    if (needs_slot) keep_slot();
    if (outgoing_ && outgoing_->own_bytes() != 0) retained();
    // A connection that ends after this response takes no more memory.
    if (retained_ && phase_ < Phase::closing) charge();
}

void Http1Connection::static_503_sent(std::uint64_t size, Now now) {
    static_503_left_ -= static_cast<std::uint8_t>(size);
    static_503_left_ != 0 ? on<Event::unsent>(now, rate_check_at()) : all_sent(now);
}

/// A request still gets a response, unless a part of one was sent. Complete responses to earlier
/// requests go first.
void Http1Connection::do_run_out(Now now) noexcept {
    if (phase_ > Phase::paused || outgoing_ || output_lost_)
        return cut(Outcome::out_of_memory, now);
    report(Status::service_unavailable, 0, Outcome::out_of_memory, now);
    let_go();
    input_ = {};
    ending_ = Ending::linger;
    static_503_left_ = static_503.size();
    on<Event::answered_last>(now);
}

// ---- from event to event ----

/// Rendered bytes are sent before the connection waits.
void Http1Connection::rest(Now now) noexcept {
    output().empty() ? on<Event::waits>(now, answer_by()) : on<Event::unsent>(now);
}

void Http1Connection::all_sent(Now now) {
    switch (phase_) {
        case Phase::idle: return input_.empty() ? await_request(now) : read_head(now);
        case Phase::head: return await_head();
        case Phase::handling:
            if (retained_ && retained_->early_reply)
                return respond(requests_, std::move(*std::exchange(retained_->early_reply, {})),
                               now);
            break;
        case Phase::content:
            if (!has_continuation()) return read_content(now);
            break;
        case Phase::tunnel:
        case Phase::tunnel_paused: return pump_tunnel(now);
        case Phase::closing: return finish(now);
        default: break;
    }
    on<Event::waits>(now, answer_by());
    if (has_continuation()) return go_on(now);  // a wake-up may have come meanwhile
    if (outgoing_) is_resumed(now);
}

/// There is neither output nor input. A response that was rendered before the server stopped did not
/// tell the peer that the connection closes, so the next request may be on its way.
void Http1Connection::await_request(Now now) noexcept {
    retained_.reset();
    if (retiring_) return on<Event::retired>(now, now.instant + workspace_.timeouts.last_request);
    on<Event::waits>(now);
}

/// The last response was sent.
void Http1Connection::finish(Now now) {
    if (ending_ != Ending::linger && input_.empty()) return close();
    // RFC 9112 9.6: close(2) with unread bytes resets the connection, and the reset may overtake the
    // response. So the sending side is shut down first, and the rest of the input is discarded, until
    // the peer ends or is silent, within a limit.
    input_ = {};
    const std::chrono::milliseconds total = workspace_.timeouts.drain_total;
    retained().drained_by = total == total.zero() ? never : now.instant + total;
    on<Event::drains>(now, retained_->drained_by);
}

/// Whether the peer has taken enough since the last check.
bool Http1Connection::meets_min_rate(std::uint64_t queued) {
    const std::uint32_t taken = sent_ - static_cast<std::uint32_t>(queued);
    const std::uint32_t since = taken - std::exchange(retained().taken, taken);
    return since >= bytes_per_look(workspace_.timeouts);
}

/// Ends the connection, maybe in the middle of a response.
void Http1Connection::cut(Outcome why, Now now) {
    if (phase_ == Phase::closed) return;
    if (outgoing_) {
        report(outgoing_->response().status(), outgoing_->content_sent(), why, now);
        outgoing_->done(why);
    }
    close();
}

/// Memory that the kernel may still be sending (retained_->output, outgoing_) lives as long as the
/// connection.
void Http1Connection::close() noexcept {
    if (phase_ == Phase::closed) return;
    if (!retained_ || retained_->output.empty()) workspace_.output.clear();
    let_go();
    input_ = {};
    on<Event::closes>({});
}

/// The server stops, and this connection has a request: since before, or since a moment ago.
void Http1Connection::mark_busy() noexcept {
    if (!std::exchange(marked_busy_, true) && workspace_.connections)
        workspace_.connections->busy();
}

// ---- what outlasts the workspace ----

/// The empty line that may stand before a request (RFC 9112 2.2) is no part of the head.
bool Http1Connection::head_started() noexcept {
    return phase_ == Phase::head && slot().parser.started();
}

void Http1Connection::keep_output() {
    output_lost_ = true;
    const std::string_view unsent = workspace_.output.unsent();
    workspace_.output.clear();  // the next connection's, also if this throws
    retained().output.append(unsent);
    output_lost_ = false;
}

void Http1Connection::keep_slot() {
    if (!retained().slot) {
        auto own = std::make_unique<RequestSlot>();  // if this throws, the request stays
        std::swap(*own, workspace_.request);
        retained_->slot = std::move(own);
    }
    if (phase_ != Phase::head) retained_->slot->own();
}

/// Counts the memory of this connection. Beyond the limit of all connections, there is none for it.
void Http1Connection::charge() {
    const std::size_t outgoing = outgoing_ ? outgoing_->own_bytes() : 0;
    if (!retained_->share.resize(retained_->bytes() + outgoing)) throw std::bad_alloc{};
}

/// Frees all kept state but the bytes that the kernel may still be sending.
void Http1Connection::let_go() noexcept {
    if (!retained_) return;
    cut_continuation();
    if (retained_->incoming) retained_->incoming->content.cut();
    if (retained_->early_reply)
        drop(std::move(*std::exchange(retained_->early_reply, {})), Outcome::stopped);
    retained_->incoming.reset();
    retained_->slot.reset();
    std::string{}.swap(retained_->input);  // an assignment would keep the memory
    retained_->share.resize(retained_->bytes());
}

}  // namespace weir::http
