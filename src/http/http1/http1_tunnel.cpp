// Http1Connection: another protocol, after an Upgrade (RFC 9110 7.8).

#include <utility>

#include "http/answer/dropped.h"
#include "http/http1/http1_connection.h"
#include "http/http1/http1_retained.h"
#include "weir/http/tunnel.h"

namespace weir::http {

bool Http1Connection::is_tunnel() const noexcept {
    return phase_ == Phase::tunnel || phase_ == Phase::tunnel_paused;
}

bool Http1Connection::is_tunnel(Response& response) noexcept {
    auto* const source = std::get_if<std::unique_ptr<Source>>(&response.content());
    return source != nullptr && (*source)->tunnel() != nullptr;
}

/// RFC 9110 7.8: never where the peer has not asked for it, in HTTP/1.0, or before all of the request
/// was read.
void Http1Connection::begin_tunnel(Response&& response, const Request& request, Now now) {
    if (!is_tunnel(response) || request.minor_version() == 0 || !request.has(FieldName::upgrade) ||
        request.content_pending()) {
        drop(Reply{std::move(response)}, Outcome::stopped);
        return answer(error_response(Status::internal_server_error), now);
    }
    render(output(), response, {.date_line = workspace_.date_line(now.unix_seconds)}, {});
    take_outgoing(std::move(response), Delimiter::none, std::nullopt);
    ending_ = Ending::linger;
    on<Event::upgrades>(now);
    if (retiring_) outgoing_->tunnel()->retire();
    pump_tunnel(now);
}

/// `ending_` tells whether the peer may still be sending.
bool Http1Connection::accepts_input() const noexcept {
    return ending_ == Ending::linger && outgoing_->tunnel()->takes();
}

void Http1Connection::feed_tunnel() {
    while (!input_.empty() && accepts_input())
        input_.remove_prefix(outgoing_->tunnel()->take(input_));
}

/// Nothing is being sent. Passes the peer's bytes to the tunnel and renders the tunnel's output, as far
/// as both go.
void Http1Connection::pump_tunnel(Now now) {
    auto result = Outgoing::Pull::not_ready;
    do {
        feed_tunnel();
        result = gather();
    } while (result == Outgoing::Pull::not_ready && !input_.empty() && accepts_input());
    if (result == Outgoing::Pull::failed) return end_sending(Outcome::source_failed, now);
    if (result == Outgoing::Pull::finished && output().empty())
        return end_sending(Outcome::sent, now);
    rest_in_tunnel(now);
}

void Http1Connection::rest_in_tunnel(Now now) {
    if (const bool is_paused = !accepts_input(); is_paused != (phase_ == Phase::tunnel_paused))
        is_paused ? on<Event::paused>(now) : on<Event::woken>(now);
    const bool has_output = !output().empty() || !outgoing_->empty();
    if (has_output) return on<Event::unsent>(now, rate_check_at());
    if (input_.empty() && workspace_.observer == nullptr) retained_.reset();
    on<Event::waits>(now, outgoing_->due());
}

/// Bytes that are being sent must not move.
void Http1Connection::go_on_in_tunnel(Now now) {
    if (sends(step_)) {
        feed_tunnel();
        return rest_in_tunnel(now);
    }
    pump_tunnel(now);
}

void Http1Connection::receive_in_tunnel(std::string_view bytes, Now now) {
    take_in(bytes);
    go_on_in_tunnel(now);
}

/// The output goes on: the peer may have shut down its sending side alone.
void Http1Connection::end_input_of_tunnel(Now now) {
    ending_ = Ending::close;
    input_ = {};
    outgoing_->tunnel()->end_input();
    go_on_in_tunnel(now);
}

void Http1Connection::retire_tunnel(Now now) {
    outgoing_->tunnel()->retire();
    go_on_in_tunnel(now);
}

}  // namespace weir::http
