#include "http/http1/tunnel_phase.h"

#include <optional>
#include <utility>

#include "http/answer/dropped.h"
#include "http/answer/render.h"
#include "http/http1/receiver.h"
#include "http/http1/retained.h"
#include "http/http1/sender.h"
#include "weir/http/tunnel.h"

namespace weir::http::http1 {
namespace {

/// RFC 9110 7.8: never where the peer has not asked for it, in HTTP/1.0, or before all of the request
/// was read.
bool may_upgrade(const Response& response, const Request& request) noexcept {
    const auto* const source = std::get_if<std::unique_ptr<Source>>(&response.content());
    return source != nullptr && (*source)->tunnel() != nullptr && request.minor_version() != 0 &&
           request.has(FieldName::upgrade) && !request.content_pending();
}

/// `ending` tells whether the peer may still be sending.
bool accepts_input(const Session& session) noexcept {
    return session.ending == Ending::linger && session.outgoing->tunnel()->takes();
}

void feed(Session& session) {
    while (!session.input.empty() && accepts_input(session))
        session.input.remove_prefix(session.outgoing->tunnel()->take(session.input));
}

void rest_in_tunnel(Session& session, Now now) {
    const bool is_paused = !accepts_input(session);
    if (is_paused != (session.phase == Phase::tunnel_paused))
        is_paused ? session.on<Event::paused>(now) : session.on<Event::woken>(now);
    if (!session.output().empty() || !session.outgoing->empty())
        return session.on<Event::unsent>(now, session.rate_check_at());
    if (session.input.empty() && session.workspace.observer == nullptr) session.retained.reset();
    session.on<Event::waits>(now, session.outgoing->due());
}

}  // namespace

void begin_tunnel(Session& session, Response&& response, const Request& request, Now now) {
    if (!may_upgrade(response, request)) {
        drop(Reply{std::move(response)}, Outcome::stopped);
        return send_response(session, error_response(Status::internal_server_error), &request, now);
    }
    const auto date_line = session.workspace.date_line(response, now);
    render(session.output(), response, {.date_line = date_line}, {});
    take_outgoing(session, std::move(response), Delimiter::none, std::nullopt);
    session.ending = Ending::linger;
    session.on<Event::upgrades>(now);
    session.input_ended ? end_input_of_tunnel(session, now) : pump_tunnel(session, now);
}

void pump_tunnel(Session& session, Now now) {
    auto result = Outgoing::Pull::not_ready;
    do {
        feed(session);
        result = gather(session);
    } while (result == Outgoing::Pull::not_ready && !session.input.empty() &&
             accepts_input(session));
    session.outgoing->note_more(result != Outgoing::Pull::not_ready);
    if (result == Outgoing::Pull::failed) return end_sending(session, Outcome::source_failed, now);
    if (result == Outgoing::Pull::finished && session.output().empty())
        return end_sending(session, Outcome::sent, now);
    rest_in_tunnel(session, now);
}

void go_on_in_tunnel(Session& session, Now now) {
    if (!sends(session.step())) return pump_tunnel(session, now);
    feed(session);
    session.outgoing->note_more(true);
    rest_in_tunnel(session, now);
}

void go_on_behind_output(Session& session, Now now) {
    const bool has_nothing = session.input.empty() && !session.outgoing->may_have_more() &&
                             now.instant < session.outgoing->due();
    has_nothing ? rest_in_tunnel(session, now) : pump_tunnel(session, now);
}

void receive_in_tunnel(Session& session, std::string_view bytes, Now now) {
    take_in(session, bytes);
    go_on_in_tunnel(session, now);
}

void end_input_of_tunnel(Session& session, Now now) {
    session.ending = Ending::close;
    session.input = {};
    session.outgoing->tunnel()->end_input();
    go_on_in_tunnel(session, now);
}

}  // namespace weir::http::http1
