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
        {P::idle,     E::request_read,   P::ready,    unchanged, T::handler},

        // The handler's time counts from the end of the head, not from the call of the handler.
        {P::ready,    E::taken,          P::handling, unchanged, unchanged},

        {P::handling, E::waits,          P::handling, unchanged, T::handler},
        {P::handling, E::content_wanted, P::content,  unchanged, unchanged},

        {P::content,  E::waits,          P::content,  unchanged, T::body},
        {P::content,  E::paused,         P::paused,   unchanged, unchanged},
        {P::content,  E::request_read,   P::ready,    unchanged, T::handler},
        {P::paused,   E::waits,          P::paused,   unchanged, T::handler},
        {P::paused,   E::woken,          P::content,  unchanged, unchanged},
        {P::paused,   E::request_read,   P::ready,    unchanged, T::handler},

        // The response, which may come before the end of the request, above all a refusal.
        {P::idle,     E::streams,        P::sending,  unchanged, T::transmit},
        {P::ready,    E::streams,        P::sending,  unchanged, T::transmit},
        {P::handling, E::streams,        P::sending,  unchanged, T::transmit},
        {P::content,  E::streams,        P::sending,  unchanged, T::transmit},
        {P::paused,   E::streams,        P::sending,  unchanged, T::transmit},
        {P::sending,  E::unsent,         P::sending,  unchanged, T::transmit},
        {P::sending,  E::paused,         P::stalled,  unchanged, unchanged},
        {P::stalled,  E::waits,          P::stalled,  unchanged, T::pause},
        {P::stalled,  E::woken,          P::sending,  unchanged, unchanged},

        // Another protocol (RFC 8441), with a deadline of its own while it has no output.
        {P::handling, E::upgrades,       P::tunnel,   unchanged, T::transmit},
        {P::tunnel,   E::unsent,         P::tunnel,   unchanged, T::transmit},
        {P::tunnel,   E::waits,          P::tunnel,   unchanged, T::tunnel},

        // All is rendered, and then sent, within the connection's deadline for output.
        {P::sending,  E::answered,       P::rendered, unchanged, T::none},
        {P::tunnel,   E::answered,       P::rendered, unchanged, T::none},
        {P::rendered, E::drains,         P::draining, unchanged, T::drain},

        // From everywhere: the peer has gone, or a rule was broken.
        {P::idle,     E::closes,         P::closed,   unchanged, T::none},
        {P::ready,    E::closes,         P::closed,   unchanged, T::none},
        {P::handling, E::closes,         P::closed,   unchanged, T::none},
        {P::content,  E::closes,         P::closed,   unchanged, T::none},
        {P::paused,   E::closes,         P::closed,   unchanged, T::none},
        {P::sending,  E::closes,         P::closed,   unchanged, T::none},
        {P::stalled,  E::closes,         P::closed,   unchanged, T::none},
        {P::tunnel,   E::closes,         P::closed,   unchanged, T::none},
        {P::rendered, E::closes,         P::closed,   unchanged, T::none},
        {P::draining, E::closes,         P::closed,   unchanged, T::none},
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
