#pragma once

#include <array>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "weir/base/now.h"
#include "weir/http/connection.h"
#include "weir/http/limits.h"

/// The life of a request, from its first byte to the last one of its answer: for a connection of
/// HTTP/1, which has one at a time, and for each stream of HTTP/2. Each protocol has rows of its own;
/// those that both have are the same.
///
/// The phase says how far the request has come. From it follow who must act next (the step, which is
/// a connection's) and how long that may take (the timer). They change together, by a row for the
/// phase and the event. A row that is not there can't happen: debug builds assert that, release builds
/// close the connection, or the stream.
namespace weir::http::exchange {

// clang-format off
enum class Phase : std::uint8_t {
    idle,           // between requests: no byte of the next one was read
    head,           // a part of the head was read
    ready,          // the request, or its head, is complete: a handler must take it
    handling,       // the handler has the request
    content,        // the content is being read
    paused,         // the same, but the sink takes no more for now
    sending,        // the response's content is being sent from where it lies
    stalled,        // the same, but the source has no more for now
    tunnel,         // another protocol has the connection: both directions go on
    tunnel_paused,  // the same, but it takes nothing for now
    rendered,       // the whole response is rendered, and the stream ends with it
    closing,        // the last response is being sent
    draining,       // the last response was sent: the rest of the input is discarded
    closed,
    count,
};

enum class Event : std::uint8_t {
    opened,          // the first request is due
    head_begun,      // the input ends in the middle of a head
    request_read,    // a head is complete, and so is the content that its handler asked for
    taken,           // the engine calls the handler
    taken_unsent,    // the same; responses to earlier requests are still to be sent
    content_wanted,  // the handler asked for the content
    paused,          // the sink or the source pauses
    woken,           // the sink or the source goes on
    streams,         // the response's head is rendered, its content follows
    upgrades,        // the same, and another protocol follows
    answered,        // the response is rendered, and the input is used up, or the stream's is
    next,            // the response is rendered or sent; the next request may be in the input
    answered_last,   // the response is rendered or sent, and no request is read after it
    unsent,          // bytes are to be sent before the connection waits
    waits,           // there is nothing to send, and the input is used up
    held,            // more input, or its end, came while the peer waits for the response
    retired,         // the server stops, and there is no request
    drains,          // the response is sent, and the peer may still be sending
    closes,
    count,
};

/// Which of the Timeouts applies. It starts anew with each row that names it.
enum class Timer : std::uint8_t {
    head, body, handler, pause, transmit, keep_alive, drain,
    grace,   // for a request that is on its way while the server stops
    tunnel,  // a deadline of the tunnel
    none,
};
// clang-format on

/// `Unchanged` in a row: the step or the timer does not change. Either another event follows in the same
/// call, or the connection goes on with its work.
struct Unchanged {};
inline constexpr Unchanged unchanged;

template <typename Value>
struct Change {
    // NOLINTBEGIN(google-explicit-constructor): a table reads better without
    constexpr Change(Unchanged) : value{}, is_set{false} {}
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

template <typename Name>
constexpr std::size_t at(Name name) noexcept {
    return static_cast<std::size_t>(name);
}

/// The rows as on() looks them up.
template <const auto& rows>
class Table {
   public:
    consteval Table() {
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
#if !defined(NDEBUG)
        if (!std::is_constant_evaluated() && taken) (*taken)[number(from, on)] = true;
#endif
        constexpr std::optional<Move> only = the_only(on);
        if constexpr (only) return *only;
        return moves_[at(on)][at(from)];
    }

#if !defined(NDEBUG)
    /// Which rows were taken, for a test that asks; null: none does.
    static inline std::array<bool, rows.size()>* taken = nullptr;
#endif

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

/// The time at which the timer is over.
inline Instant due(const Timeouts& timeouts, Timer timer, Instant now) noexcept {
    using Timeout = std::chrono::milliseconds Timeouts::*;
    constexpr std::array<Timeout, 7> of_timer{
        &Timeouts::head,     &Timeouts::body,       &Timeouts::handler, &Timeouts::pause,
        &Timeouts::transmit, &Timeouts::keep_alive, &Timeouts::drain};
    if (timer > Timer::drain) return never;
    const auto timeout = timeouts.*of_timer[at(timer)];
    return timeout == timeout.zero() ? never : now + timeout;
}

}  // namespace weir::http::exchange
