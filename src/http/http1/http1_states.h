#pragma once

#include <algorithm>
#include <array>

#include "http/exchange/phase_table.h"

/// The state of an HTTP/1 connection.
///
/// How it works
///
/// A connection is in one phase, that of the request in hand (exchange/phase_table.h). Phase, step and
/// timer change in one place: Session::on() looks up the row for the phase and the event. The rest of
/// the connection consists of actions (read a head, render an answer, ...), each of which
/// ends with the event that says how it came out.
///
/// Most requests take four rows: `request_read`, `taken`, `answered`, and `waits` once the answer
/// is sent. With more requests in the input, `next` stands in for the last two, until the input is
/// used up: their answers leave together.
///
/// Rendered bytes are sent before the connection waits. So a phase that waits has two rows: `unsent`
/// while there are bytes to send (also each time that some were sent), and `waits` once there are
/// none.
///
/// The table does not have the following state, which does not decide the next step:
/// - `ending`: the end of the connection after the current response. The head of the response tells
///   the peer. Once the response is sent, `ending` decides between `next` and `answered_last`, and
///   after that between `drains` and `closes`.
/// - `retiring`: the server stops. Each response is the last one, and an idle connection closes.
/// - `input_ended`: the peer has shut down its side. Nothing is read any more.
/// - `marked_busy`: the observer knows of a request that the stop found. Only the observer's numbers
///   depend on it.
///
/// docs/http1-connection.svg is drawn from the rows.
namespace weir::http::exchange::http1 {

// clang-format off
inline constexpr auto rows = [] {
    using P = Phase;
    using E = Event;
    using S = Step;
    using T = Timer;
    return std::to_array<Row>({
        // Between requests. The first one has the time of a head, the others more.
        {P::idle,          E::opened,         P::idle,          S::receive,  T::head},
        {P::idle,          E::waits,          P::idle,          S::receive,  T::keep_alive},
        {P::idle,          E::retired,        P::idle,          S::receive,  T::grace},
        {P::idle,          E::unsent,         P::idle,          S::transmit, T::transmit},
        {P::idle,          E::head_begun,     P::head,          unchanged,   unchanged},
        {P::idle,          E::request_read,   P::ready,         S::handle,   T::handler},

        // In the middle of a head. Its time counts from its first byte, however slowly it comes.
        {P::head,          E::waits,          P::head,          S::receive,  T::head},
        {P::head,          E::retired,        P::head,          S::receive,  T::grace},  // an empty line so far
        {P::head,          E::unsent,         P::head,          S::transmit, T::transmit},
        {P::head,          E::request_read,   P::ready,         S::handle,   T::handler},

        // The handler's time counts from the end of the head, not from the call of the handler.
        {P::ready,         E::taken,          P::handling,      S::wait,     unchanged},
        {P::ready,         E::taken_unsent,   P::handling,      S::transmit, unchanged},

        // A request may end when its peer leaves. So the connection reads on, until input comes.
        {P::handling,      E::waits,          P::handling,      S::receive,  T::handler},
        {P::handling,      E::held,           P::handling,      S::wait,     unchanged},
        {P::handling,      E::unsent,         P::handling,      S::transmit, T::transmit},
        {P::handling,      E::content_wanted, P::content,       unchanged,   unchanged},
        {P::handling,      E::answered,       P::idle,          S::transmit, T::transmit},
        {P::handling,      E::next,           P::idle,          unchanged,   unchanged},
        {P::handling,      E::streams,        P::sending,       S::transmit, T::transmit},

        {P::content,       E::waits,          P::content,       S::receive,  T::body},
        {P::content,       E::unsent,         P::content,       S::transmit, T::transmit},
        {P::content,       E::paused,         P::paused,        unchanged,   unchanged},
        {P::content,       E::request_read,   P::ready,         S::handle,   T::handler},
        {P::paused,        E::waits,          P::paused,        S::wait,     T::handler},
        {P::paused,        E::unsent,         P::paused,        S::transmit, T::transmit},
        {P::paused,        E::woken,          P::content,       unchanged,   unchanged},
        {P::paused,        E::request_read,   P::ready,         S::handle,   T::handler},

        {P::sending,       E::unsent,         P::sending,       S::transmit, T::transmit},
        {P::sending,       E::paused,         P::stalled,       unchanged,   unchanged},
        {P::sending,       E::next,           P::idle,          unchanged,   unchanged},
        {P::stalled,       E::waits,          P::stalled,       S::receive,  T::pause},
        {P::stalled,       E::held,           P::stalled,       S::wait,     unchanged},
        {P::stalled,       E::unsent,         P::stalled,       S::transmit, T::transmit},
        {P::stalled,       E::woken,          P::sending,       unchanged,   unchanged},

        // Another protocol reads while it sends, and has a deadline of its own while nothing is sent.
        {P::handling,      E::upgrades,       P::tunnel,        S::exchange, T::transmit},
        {P::tunnel,        E::unsent,         P::tunnel,        S::exchange, T::transmit},
        {P::tunnel,        E::waits,          P::tunnel,        S::receive,  T::tunnel},
        {P::tunnel,        E::paused,         P::tunnel_paused, unchanged,   unchanged},
        {P::tunnel_paused, E::unsent,         P::tunnel_paused, S::transmit, T::transmit},
        {P::tunnel_paused, E::waits,          P::tunnel_paused, S::wait,     T::tunnel},
        {P::tunnel_paused, E::woken,          P::tunnel,        unchanged,   unchanged},

        // The last response: the handler, the peer's bytes, a limit or a timer made it the last.
        {P::idle,          E::answered_last,  P::closing,       S::transmit, T::transmit},
        {P::head,          E::answered_last,  P::closing,       S::transmit, T::transmit},
        {P::ready,         E::answered_last,  P::closing,       S::transmit, T::transmit},
        {P::handling,      E::answered_last,  P::closing,       S::transmit, T::transmit},
        {P::content,       E::answered_last,  P::closing,       S::transmit, T::transmit},
        {P::paused,        E::answered_last,  P::closing,       S::transmit, T::transmit},
        {P::sending,       E::answered_last,  P::closing,       S::transmit, T::transmit},
        {P::tunnel,        E::answered_last,  P::closing,       S::transmit, T::transmit},
        {P::tunnel_paused, E::answered_last,  P::closing,       S::transmit, T::transmit},
        {P::closing,       E::unsent,         P::closing,       S::transmit, T::transmit},
        {P::closing,       E::drains,         P::draining,      S::drain,    T::drain},
        {P::draining,      E::waits,          P::draining,      S::drain,    T::drain},

        // From everywhere: the peer has gone, a timer without a response, the end of the server.
        {P::idle,          E::closes,         P::closed,        S::close,    T::none},
        {P::head,          E::closes,         P::closed,        S::close,    T::none},
        {P::ready,         E::closes,         P::closed,        S::close,    T::none},
        {P::handling,      E::closes,         P::closed,        S::close,    T::none},
        {P::content,       E::closes,         P::closed,        S::close,    T::none},
        {P::paused,        E::closes,         P::closed,        S::close,    T::none},
        {P::sending,       E::closes,         P::closed,        S::close,    T::none},
        {P::stalled,       E::closes,         P::closed,        S::close,    T::none},
        {P::tunnel,        E::closes,         P::closed,        S::close,    T::none},
        {P::tunnel_paused, E::closes,         P::closed,        S::close,    T::none},
        {P::closing,       E::closes,         P::closed,        S::close,    T::none},
        {P::draining,      E::closes,         P::closed,        S::close,    T::none},
    });
}();
// clang-format on

inline constexpr Table<rows> table;

/// A connection may end at any time, and one that is not closed yet has a time by which it is.
static_assert([] {
    return std::ranges::all_of(rows, [](const Row& row) {
        if (!table.has(row.from, Event::closes)) return false;
        const bool never_ends = row.move.timer.is_set && row.move.timer.value == Timer::none;
        return row.from != Phase::closed && never_ends == (row.move.to == Phase::closed);
    });
}());

}  // namespace weir::http::exchange::http1
