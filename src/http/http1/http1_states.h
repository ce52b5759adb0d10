#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "weir/http/connection.h"

/// The state of an HTTP/1 connection.
///
/// How it works
///
/// A connection is in one phase, which says how far the request in hand has come, and from which
/// follow who must act next (the step) and how long that may take (the timer). All three change
/// together, in one place: Http1Connection::on() looks up the row for the phase and the event. The
/// rest of the connection consists of actions (read a head, render an answer, ...), each of which
/// ends with the event that says how it came out. A row that is not in the table can't happen: debug
/// builds assert that, release builds close the connection.
///
/// Most requests take four rows: `request_read`, `taken`, `answered`, and `waits` once the answer
/// is sent. With more requests in the input, `next` stands in for the last two, until the input is
/// used up: their answers leave together.
///
/// What is rendered goes out before the connection waits for anything. So a phase that waits has
/// two rows: `unsent` while there are bytes to send (also each time that some were sent), and
/// `waits` once there are none.
///
/// What is not in the table, because it does not decide who acts next:
/// - `ending_`: what follows the answer in hand. It is decided with the answer's head, which tells
///   the peer, and is looked at once the answer is sent: `next` or `answered_last`, and after that
///   `drains` or `closes`.
/// - `retiring_`: the server stops. Each answer is the last one then, and an idle connection closes.
/// - `noted_work_`: the observer was told of a request that the stop found. Only the observer's
///   numbers depend on it.
///
/// docs/http1-connection.svg is drawn from the rows.
namespace weir::http::http1 {

// clang-format off
enum class Phase : std::uint8_t {
    idle,      // between requests: nothing of the next one was read
    head,      // a part of its head was read
    ready,     // it is whole, or its head is: a handler must take it
    handling,  // its handler has it
    content,   // its content is being read
    paused,    // the same, but the sink takes no more for now
    sending,   // its answer's content is being sent from where it lies
    stalled,   // the same, but the source has no more for now
    tunnel,    // another protocol has the connection: both directions go on
    deaf,      // the same, but it takes nothing for now
    closing,   // the last answer is being sent
    draining,  // it was sent: the rest of the input is read and thrown away
    closed,
    count,
};

enum class Event : std::uint8_t {
    opened,          // the first request is due
    head_begun,      // the input ends in the middle of a head
    request_read,    // a head is whole, and so is the content that its handler asked for
    taken,           // the engine has it handled
    taken_unsent,    // the same; answers to earlier requests are still to be sent
    content_wanted,  // the handler asked for the content
    paused,          // the sink or the source did
    woken,           // it goes on
    streams,         // the answer's head is rendered, its content follows
    upgrades,        // the same, and another protocol follows
    answered,        // the answer is rendered, and the input is used up
    next,            // the answer is rendered or sent; the next request may be in the input
    answered_last,   // the answer is rendered or sent, and no request is read after it
    unsent,          // bytes are to be sent before anything is waited for
    waits,           // nothing is to be sent, and the input is used up
    retired,         // the server stops, and finds no request
    drains,          // all is sent, and the peer may still be sending
    closes,
    count,
};

/// Which of the Timeouts applies. It starts anew with each row that names it.
enum class Timer : std::uint8_t {
    head, body, handler, transmit, keep_alive, drain,
    grace,   // for a request that is on its way while the server stops
    tunnel,  // its own
    none,
};
// clang-format on

/// `Stays` in a row: the step or the timer is what it was. Either another event follows in the same
/// call, or it goes on with what it was doing.
struct Stays {};
inline constexpr Stays stays;

template <typename Value>
struct Change {
    // NOLINTBEGIN(google-explicit-constructor): a table reads better without
    constexpr Change(Stays) : value{}, is_set{false} {}
    constexpr Change(Value to) : value{to}, is_set{true} {}
    // NOLINTEND(google-explicit-constructor)
    bool operator==(const Change&) const = default;

    Value value;
    bool is_set;
};

struct Move {
    Phase to = Phase::closed;
    Change<Step> step = Step::close;
    Change<Timer> timer = Timer::none;

    bool operator==(const Move&) const = default;
};

struct Row {
    Phase from;
    Event on;
    Move move;

    constexpr Row(Phase phase, Event event, Phase to, Change<Step> step, Change<Timer> timer)
        : from{phase}, on{event}, move{to, step, timer} {}
};

// clang-format off
inline constexpr auto rows = [] {
    using P = Phase;
    using E = Event;
    using S = Step;
    using T = Timer;
    return std::to_array<Row>({
        // Between requests. The first one is due as soon as a head is, the others later.
        {P::idle,     E::opened,         P::idle,     S::receive,  T::head},
        {P::idle,     E::waits,          P::idle,     S::receive,  T::keep_alive},
        {P::idle,     E::retired,        P::idle,     S::receive,  T::grace},
        {P::idle,     E::unsent,         P::idle,     S::transmit, T::transmit},
        {P::idle,     E::head_begun,     P::head,     stays,       stays},
        {P::idle,     E::request_read,   P::ready,    S::handle,   T::handler},

        // In the middle of a head. Its time counts from its first byte, however it drips.
        {P::head,     E::waits,          P::head,     S::receive,  T::head},
        {P::head,     E::retired,        P::head,     S::receive,  T::grace},  // an empty line so far
        {P::head,     E::unsent,         P::head,     S::transmit, T::transmit},
        {P::head,     E::request_read,   P::ready,    S::handle,   T::handler},

        // The handler's time counts from when the request was there, not from when it was taken.
        {P::ready,    E::taken,          P::handling, S::wait,     stays},
        {P::ready,    E::taken_unsent,   P::handling, S::transmit, stays},

        {P::handling, E::waits,          P::handling, S::wait,     T::handler},
        {P::handling, E::unsent,         P::handling, S::transmit, T::transmit},
        {P::handling, E::content_wanted, P::content,  stays,       stays},
        {P::handling, E::answered,       P::idle,     S::transmit, T::transmit},
        {P::handling, E::next,           P::idle,     stays,       stays},
        {P::handling, E::streams,        P::sending,  S::transmit, T::transmit},

        {P::content,  E::waits,          P::content,  S::receive,  T::body},
        {P::content,  E::unsent,         P::content,  S::transmit, T::transmit},
        {P::content,  E::paused,         P::paused,   stays,       stays},
        {P::content,  E::request_read,   P::ready,    S::handle,   T::handler},
        {P::paused,   E::waits,          P::paused,   S::wait,     T::handler},
        {P::paused,   E::unsent,         P::paused,   S::transmit, T::transmit},
        {P::paused,   E::woken,          P::content,  stays,       stays},
        {P::paused,   E::request_read,   P::ready,    S::handle,   T::handler},

        {P::sending,  E::unsent,         P::sending,  S::transmit, T::transmit},
        {P::sending,  E::paused,         P::stalled,  stays,       stays},
        {P::sending,  E::next,           P::idle,     stays,       stays},
        {P::stalled,  E::waits,          P::stalled,  S::wait,     T::handler},
        {P::stalled,  E::unsent,         P::stalled,  S::transmit, T::transmit},
        {P::stalled,  E::woken,          P::sending,  stays,       stays},

        // Another protocol reads while it sends, and has a time of its own while nothing is sent.
        {P::handling, E::upgrades,       P::tunnel,   S::exchange, T::transmit},
        {P::tunnel,   E::unsent,         P::tunnel,   S::exchange, T::transmit},
        {P::tunnel,   E::waits,          P::tunnel,   S::receive,  T::tunnel},
        {P::tunnel,   E::paused,         P::deaf,     stays,       stays},
        {P::deaf,     E::unsent,         P::deaf,     S::transmit, T::transmit},
        {P::deaf,     E::waits,          P::deaf,     S::wait,     T::tunnel},
        {P::deaf,     E::woken,          P::tunnel,   stays,       stays},

        // The last answer: what the handler, the peer's bytes, a limit or a timer made it.
        {P::idle,     E::answered_last,  P::closing,  S::transmit, T::transmit},
        {P::head,     E::answered_last,  P::closing,  S::transmit, T::transmit},
        {P::ready,    E::answered_last,  P::closing,  S::transmit, T::transmit},
        {P::handling, E::answered_last,  P::closing,  S::transmit, T::transmit},
        {P::content,  E::answered_last,  P::closing,  S::transmit, T::transmit},
        {P::paused,   E::answered_last,  P::closing,  S::transmit, T::transmit},
        {P::sending,  E::answered_last,  P::closing,  S::transmit, T::transmit},
        {P::tunnel,   E::answered_last,  P::closing,  S::transmit, T::transmit},
        {P::deaf,     E::answered_last,  P::closing,  S::transmit, T::transmit},
        {P::closing,  E::unsent,         P::closing,  S::transmit, T::transmit},
        {P::closing,  E::drains,         P::draining, S::drain,    T::drain},
        {P::draining, E::waits,          P::draining, S::drain,    T::drain},

        // From everywhere: the peer has gone, a timer that needs no answer, the end of the server.
        {P::idle,     E::closes,         P::closed,   S::close,    T::none},
        {P::head,     E::closes,         P::closed,   S::close,    T::none},
        {P::ready,    E::closes,         P::closed,   S::close,    T::none},
        {P::handling, E::closes,         P::closed,   S::close,    T::none},
        {P::content,  E::closes,         P::closed,   S::close,    T::none},
        {P::paused,   E::closes,         P::closed,   S::close,    T::none},
        {P::sending,  E::closes,         P::closed,   S::close,    T::none},
        {P::stalled,  E::closes,         P::closed,   S::close,    T::none},
        {P::tunnel,   E::closes,         P::closed,   S::close,    T::none},
        {P::deaf,     E::closes,         P::closed,   S::close,    T::none},
        {P::closing,  E::closes,         P::closed,   S::close,    T::none},
        {P::draining, E::closes,         P::closed,   S::close,    T::none},
    });
}();
// clang-format on

#if !defined(NDEBUG)
/// Which rows all connections took, for a test that asks; null: none does.
inline std::array<bool, rows.size()>* rows_taken = nullptr;
#endif

template <typename Name>
constexpr std::size_t at(Name name) noexcept {
    return static_cast<std::size_t>(name);
}

/// The rows as on() looks them up.
class Table {
   public:
    constexpr Table() {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::uint8_t& number = numbers_[at(rows[i].on)][at(rows[i].from)];
            if (number != none) throw "two rows for one event in one phase";
            number = static_cast<std::uint8_t>(i);
            moves_[at(rows[i].on)][at(rows[i].from)] = rows[i].move;
        }
    }

    constexpr bool has(Phase from, Event on) const noexcept {
        return numbers_[at(on)][at(from)] != none;
    }
    /// Of the row, among `rows`.
    constexpr std::size_t number(Phase from, Event on) const noexcept {
        return numbers_[at(on)][at(from)];
    }

    /// An event that does the same in every phase in which it may come costs no look-up.
    template <Event on>
    constexpr Move move(Phase from) const noexcept {
        assert(has(from, on));
        constexpr std::optional<Move> only = the_only(on);
        if constexpr (only) return *only;
        return moves_[at(on)][at(from)];
    }

   private:
    static constexpr std::optional<Move> the_only(Event on) {
        std::optional<Move> only;
        for (const Row& row : rows) {
            if (row.on != on) continue;
            if (only && *only != row.move) return std::nullopt;
            only = row.move;
        }
        return only;
    }

    static constexpr std::size_t phases = static_cast<std::size_t>(Phase::count);
    static constexpr std::size_t events = static_cast<std::size_t>(Event::count);
    static constexpr std::uint8_t none = 0xff;
    std::array<std::array<Move, phases>, events> moves_{};
    std::array<std::array<std::uint8_t, phases>, events> numbers_ = [] {
        std::array<std::array<std::uint8_t, phases>, events> numbers;
        for (auto& of_event : numbers) of_event.fill(none);
        return numbers;
    }();
};

inline constexpr Table table;

/// A connection may end at any time, and one that is not closed yet has a time by which it is.
static_assert([] {
    for (std::size_t phase = 0; phase < static_cast<std::size_t>(Phase::closed); ++phase)
        if (!table.has(static_cast<Phase>(phase), Event::closes)) return false;
    return std::ranges::all_of(rows, [](const Row& row) {
        const bool never_ends = row.move.timer.is_set && row.move.timer.value == Timer::none;
        return row.from != Phase::closed && never_ends == (row.move.to == Phase::closed);
    });
}());

}  // namespace weir::http::http1
