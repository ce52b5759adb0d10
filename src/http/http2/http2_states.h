#pragma once

#include <algorithm>
#include <array>

#include "http/exchange/phase_table.h"
#include "http/http1/http1_states.h"

/// The state of a stream of HTTP/2: the life of one request. The step belongs to the connection, which
/// has many streams, so no row sets one.
namespace weir::http::exchange::http2 {

// clang-format off
inline constexpr auto rows = [] {
    using P = Phase;
    using E = Event;
    using T = Timer;
    return std::to_array<Row>({
        {P::idle,     E::request_read,   P::ready,    stays, T::handler},

        // The handler's time counts from the end of the head, not from the call of the handler.
        {P::ready,    E::taken,          P::handling, stays, stays},

        {P::handling, E::waits,          P::handling, stays, T::handler},
        {P::handling, E::content_wanted, P::content,  stays, stays},

        {P::content,  E::waits,          P::content,  stays, T::body},
        {P::content,  E::paused,         P::paused,   stays, stays},
        {P::content,  E::request_read,   P::ready,    stays, T::handler},
        {P::paused,   E::waits,          P::paused,   stays, T::handler},
        {P::paused,   E::woken,          P::content,  stays, stays},
        {P::paused,   E::request_read,   P::ready,    stays, T::handler},

        // The response, which may come before the end of the request, above all a refusal.
        {P::idle,     E::streams,        P::sending,  stays, T::transmit},
        {P::ready,    E::streams,        P::sending,  stays, T::transmit},
        {P::handling, E::streams,        P::sending,  stays, T::transmit},
        {P::content,  E::streams,        P::sending,  stays, T::transmit},
        {P::paused,   E::streams,        P::sending,  stays, T::transmit},
        {P::sending,  E::unsent,         P::sending,  stays, T::transmit},
        {P::sending,  E::paused,         P::stalled,  stays, stays},
        {P::stalled,  E::waits,          P::stalled,  stays, T::handler},
        {P::stalled,  E::woken,          P::sending,  stays, stays},

        // Another protocol (RFC 8441), with a deadline of its own while it has no output.
        {P::handling, E::upgrades,       P::tunnel,   stays, T::transmit},
        {P::tunnel,   E::unsent,         P::tunnel,   stays, T::transmit},
        {P::tunnel,   E::waits,          P::tunnel,   stays, T::tunnel},

        // All is rendered, and then sent, within the connection's deadline for output.
        {P::sending,  E::answered,       P::rendered, stays, T::none},
        {P::tunnel,   E::answered,       P::rendered, stays, T::none},
        {P::rendered, E::drains,         P::draining, stays, T::drain},

        // From everywhere: the peer has gone, or a rule was broken.
        {P::idle,     E::closes,         P::closed,   stays, T::none},
        {P::ready,    E::closes,         P::closed,   stays, T::none},
        {P::handling, E::closes,         P::closed,   stays, T::none},
        {P::content,  E::closes,         P::closed,   stays, T::none},
        {P::paused,   E::closes,         P::closed,   stays, T::none},
        {P::sending,  E::closes,         P::closed,   stays, T::none},
        {P::stalled,  E::closes,         P::closed,   stays, T::none},
        {P::tunnel,   E::closes,         P::closed,   stays, T::none},
        {P::rendered, E::closes,         P::closed,   stays, T::none},
        {P::draining, E::closes,         P::closed,   stays, T::none},
    });
}();
// clang-format on

inline constexpr Table<rows> table;

/// A request has the same life in both protocols.
static_assert(std::ranges::all_of(rows, [](const Row& row) {
    if (!http1::table.has(row.from, row.on)) return true;
    const Move of_http1 = http1::rows[http1::table.number(row.from, row.on)].move;
    return row.move.to == of_http1.to && row.move.timer == of_http1.timer;
}));

}  // namespace weir::http::exchange::http2
