#include "http/http1/http1_connection.h"

#include <algorithm>
#include <utility>

#include "base/troubles.h"
#include "http/answer/dropped.h"
#include "http/http1/exchange.h"
#include "http/http1/receiver.h"
#include "http/http1/retained.h"
#include "http/http1/sender.h"
#include "http/http1/tunnel_phase.h"
#include "http/kept_input.h"

namespace weir::http {

Http1Connection::Http1Connection(Workspace& of_thread, Origin& of_peer, Now now)
    : Session{of_thread, of_peer} {
    on<Event::opened>(now);
    if (workspace.connections) workspace.connections->opened();
}

Http1Connection::~Http1Connection() {
    close();
    retained.reset();  // the observer may ask how much memory is in use
    if (workspace.connections) workspace.connections->closed(retiring, marked_busy);
}

CloseImpact Http1Connection::do_close_impact() const noexcept {
    if (phase >= Phase::draining) return CloseImpact::unfinished;
    if (step_ != Step::receive) return CloseImpact::working;
    if (phase > Phase::head)
        return awaits_response() ? CloseImpact::handling : CloseImpact::working;
    return phase == Phase::idle && requests != 0 ? CloseImpact::idle : CloseImpact::unfinished;
}

void Http1Connection::do_receive(std::string_view bytes, Now now) {
    if (phase < Phase::tunnel) [[likely]]
        return http1::receive(*this, bytes, now);
    is_tunnel() ? http1::receive_in_tunnel(*this, bytes, now)
                : on<Event::waits>(now, retained->drained_by);
}

void Http1Connection::do_receive_end(Now now) {
    if (is_tunnel()) return http1::end_input_of_tunnel(*this, now);
    if (awaits_response()) return http1::end_input(*this, now);
    // Every complete request has its response. The rest of the input is an incomplete request, and
    // is not handled (RFC 9112 8).
    close();
}

const Request& Http1Connection::do_take_request() {
    take();
    return slot().request();
}

/// The handler has the request.
bool Http1Connection::do_awaits(RequestId id) const noexcept {
    return phase == Phase::handling && id == requests;
}

void Http1Connection::do_respond(RequestId id, Reply&& reply, Now now) {
    if (!Http1Connection::do_awaits(id)) [[unlikely]]
        return drop(std::move(reply), Outcome::timed_out);
    http1::respond(*this, std::move(reply), now);
}

void Http1Connection::do_wake(RequestId id, Now now) {
    if (id == requests) http1::wake(*this, now);
}

Transmission Http1Connection::do_transmit() { return http1::transmission(*this); }

void Http1Connection::do_transmitted(std::uint64_t size, Now now) {
    http1::transmitted(*this, size, now);
}

void Http1Connection::do_expire(Now now, std::uint64_t queued) {
    if (now.instant < deadline_) return;
    switch (timer) {
        case Timer::head:
            // Browsers open connections ahead of need. A silent one gets no 408.
            if (!head_started()) return close();
            troubles().note(Trouble::slow_peers);
            return http1::refuse(*this, Fault::head_too_slow, now);
        case Timer::body:
            if (http1::is_resumed(*this, now)) return;
            troubles().note(Trouble::slow_peers);
            return http1::refuse(*this, Fault::content_too_slow, now);
        case Timer::handler:
            if (http1::is_resumed(*this, now)) return;
            // Earlier responses are still being sent, and must not move. The peer is slow: its own
            // deadline runs now, and the handler goes on for that time.
            if (step_ == Step::transmit) return on<Event::unsent>(now);
            return http1::refuse(*this, Fault::handler_too_slow, now);
        case Timer::pause:
            if (http1::is_resumed(*this, now)) return;
            return cut(Outcome::timed_out, now);
        case Timer::transmit:
            if (http1::meets_min_rate(*this, queued)) return on<Event::unsent>(now);
            troubles().note(Trouble::slow_peers);
            resets_ = true;  // or the kernel keeps megabytes for a peer that does not read
            return cut(Outcome::timed_out, now);
        case Timer::tunnel: return http1::pump_tunnel(*this, now);
        case Timer::keep_alive:
        case Timer::drain:
        case Timer::grace:
        case Timer::none: return close();
    }
}

void Http1Connection::do_turn_away(Now now) {
    // A tunnel, or a response of which the peer has a part, has no place for another one.
    outgoing ? cut(Outcome::stopped, now) : http1::refuse(*this, Fault::overloaded, now);
}

void Http1Connection::do_retire(Now now) {
    // A request may be on its way, above all the first one of a connection that waited in the
    // backlog. So an idle connection closes a little later. Otherwise the client would have to send
    // the request again (RFC 9112 9.5).
    constexpr std::chrono::milliseconds first_request_grace{1'000};
    const bool is_idle = step_ == Step::receive && phase <= Phase::head && !head_started();
    if (!is_idle && phase < Phase::draining) mark_busy();
    if (!std::exchange(retiring, true) && workspace.connections) workspace.connections->retired();
    heeds_requests = true;
    if (outgoing) {
        outgoing->retire();
        return http1::wake(*this, now);
    }
    if (!is_idle) return;
    const auto next_request_grace = workspace.timeouts.last_request;
    const auto grace =
        requests == 0 ? std::max(first_request_grace, next_request_grace) : next_request_grace;
    on<Event::retired>(now, std::min(deadline_, now.instant + grace));
}

void Http1Connection::do_fail(Outcome why, Now now) { cut(why, now); }

void Http1Connection::do_take_ownership(Now /*now*/) {
    if (!workspace.output.empty()) keep_output();  // first: the workspace is shared
    if (!input.empty()) keep_input(input, retain().input);
    if (needs_slot()) keep_slot();
    if (outgoing && outgoing->own_bytes() != 0) retain();
    // A connection that ends after this response takes no more memory.
    if (retained && phase < Phase::closing) charge();
}

/// A request still gets a response, unless a part of one was sent. Complete responses to earlier
/// requests go first.
void Http1Connection::do_run_out(Now now) noexcept {
    if (phase > Phase::paused || outgoing || output_lost) return cut(Outcome::out_of_memory, now);
    report(Status::service_unavailable, 0, Outcome::out_of_memory, now);
    let_go();
    input = {};
    http1::send_static_503(*this, now);
}

}  // namespace weir::http
