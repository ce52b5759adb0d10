#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

#include "http/content/outgoing.h"
#include "http/content/user_code.h"
#include "http/http1/http1_states.h"
#include "http/workspace.h"
#include "weir/http/connection.h"

namespace weir::http::http1 {

using exchange::Event;
using exchange::Phase;
using exchange::Timer;

/// The end of the connection, after the current response.
enum class Ending : std::uint8_t {
    none,
    close,
    linger,  // discards input first: the peer does not know of the end, and may still be sending
};

struct Retained;

/// The state of one connection that its parts share, and the request in hand.
///
/// While a connection is driven, it works in the thread's Workspace. Retained holds the state that must
/// outlast that: an unfinished head, a request whose handler is at work, the rest of a send. An idle
/// connection has none.
class Session : public Connection {
   public:
    Session(Workspace& of_thread, Origin& of_peer) noexcept;
    ~Session() override;

    /// The one place where phase, step, timer and deadline change.
    template <Event event>
    void on(Now now, Instant at_latest = never) noexcept;
    /// Rendered bytes are sent before the connection waits.
    void rest(Now now);
    /// Waits for more content, for the handler, or for the sink or the source. The peer may leave,
    /// or send more, while a response is awaited. So the connection reads on until either happens.
    void wait(Now now);
    /// The request goes to its handler, or on to its continuation.
    void take() noexcept { output().empty() ? on<Event::taken>({}) : on<Event::taken_unsent>({}); }
    /// The next check of the peer's rate. It does not move while a response is being sent.
    Instant rate_check_at() const noexcept { return timer == Timer::transmit ? deadline_ : never; }

    RequestSlot& slot() noexcept;
    OutputBuffer& output() noexcept;
    UserCode user_code() noexcept { return {workspace.failures, slot().request()}; }
    /// The empty line that may stand before a request (RFC 9112 2.2) is no part of the head.
    bool head_started() noexcept;
    bool is_tunnel() const noexcept {
        return phase == Phase::tunnel || phase == Phase::tunnel_paused;
    }

    bool has_continuation() const noexcept;
    /// The request in hand ends if the peer may have left.
    bool ends_with_peer() const noexcept;
    /// The handler, or the source of its response, is waited for.
    bool awaits_response() const noexcept {
        return phase == Phase::handling || phase == Phase::stalled;
    }
    void cut_continuation() noexcept;
    /// The time at which the continuation, or the source of a response, wants to be called.
    Instant wake_at() const noexcept;
    /// The same, or the end of the continuation's time.
    Instant answer_by() const noexcept;

    /// Tells the observer of a response.
    void report(Status status, std::uint64_t content_bytes, Outcome outcome, Now now);
    /// Ends the connection, maybe in the middle of a response.
    void cut(Outcome why, Now now);
    void close() noexcept;
    /// A head was read, and somebody heeds it: the observer, or the server that stops.
    void note_request() noexcept;
    /// The server stops, and this connection has a request: since before, or since a moment ago.
    void mark_busy() noexcept;

    Retained& retain();
    void keep_output();
    /// While a response is being sent, only the observer still needs the request.
    bool needs_slot() const noexcept;
    void keep_slot();
    /// Counts the memory of this connection. Beyond the limit of all connections, there is none for it.
    void charge();
    /// Frees all kept state but the bytes that the kernel may still be sending.
    void let_go() noexcept;

    Workspace& workspace;
    Origin& origin;
    std::string_view input;  // received, not yet read; in the engine's buffer or in `retained`
    std::unique_ptr<Retained> retained;  // null if no state must outlast the workspace
    std::unique_ptr<Outgoing> outgoing;
    std::uint32_t sent = 0;      // bytes so far, modulo 2^32
    std::uint32_t requests = 0;  // so far; the id of the current one
    Phase phase = Phase::idle;
    Timer timer = Timer::none;
    Ending ending = Ending::none;
    bool retiring = false;             // the server stops
    bool marked_busy = false;          // the observer knows of a request that the stop found
    bool output_lost : 1 = false;      // responses to earlier requests
    bool input_ended : 1 = false;      // while a response was awaited
    bool heeds_requests;               // note_request() has something to do
    std::uint8_t static_503_left = 0;  // bytes of the static response that are still to be sent

   private:
    bool has_unreported_request() const noexcept {
        return phase > Phase::head && phase < Phase::closing;
    }
    void leave() noexcept;
};

template <Event event>
void Session::on(Now now, Instant at_latest) noexcept {
    const exchange::Move move = exchange::http1::table.move<event>(phase);
    phase = move.to;
    if (move.step.is_set) step_ = move.step.value;
    if (!move.timer.is_set) return;
    timer = move.timer.value;
    deadline_ = std::min(exchange::due(workspace.timeouts, timer, now.instant), at_latest);
}

}  // namespace weir::http::http1
