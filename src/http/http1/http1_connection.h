#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/content/chunked_decoder.h"
#include "http/content/outgoing.h"
#include "http/http1/http1_states.h"
#include "http/workspace.h"
#include "weir/http/connection.h"

namespace weir::http {

/// HTTP/1.1 and HTTP/1.0 (RFC 9112): one request at a time, responses in order.
///
/// A table of phases and events has the next step (http1_states.h). Pipelined requests stay in the
/// input until their turn comes, and small responses gather in the output until the input is used up:
/// one send for all of them.
///
/// While a connection is driven, it works in the thread's Workspace. Retained holds the state that must
/// outlast that: an unfinished head, a request whose handler is at work, the rest of a send. An idle
/// connection has none.
class Http1Connection final : public Connection {
   public:
    Http1Connection(Workspace& workspace, Origin& origin, Now now);
    ~Http1Connection() override;

   private:
    CloseImpact do_close_impact() const noexcept override;
    const Request& do_take_request() override;
    bool do_awaits(RequestId id) const noexcept override;
    Transmission do_transmit() override;
    void do_receive(std::string_view bytes, Now now) override;
    void do_receive_end(Now now) override;
    void do_respond(RequestId id, Reply&& reply, Now now) override;
    void do_wake(RequestId id, Now now) override;
    void do_transmitted(std::uint64_t size, Now now) override;
    void do_expire(Now now, std::uint64_t queued) override;
    void do_turn_away(Now now) override;
    void do_retire(Now now) override;
    void do_fail(Outcome why, Now now) override;
    void do_take_ownership(Now now) override;
    void do_run_out(Now now) noexcept override;

    using Phase = exchange::Phase;
    using Event = exchange::Event;
    using Timer = exchange::Timer;
    /// The end of the connection, after the current response.
    enum class Ending : std::uint8_t {
        none,
        close,
        linger,  // discards input first: the peer does not know of the end, and may still be sending
    };
    enum class Sent : bool { no, yes };
    struct Retained;

    // http1_connection.cpp: from event to event
    template <Event event>
    void on(Now now, Instant at_latest = never) noexcept;
    void rest(Now now) noexcept;
    void all_sent(Now now);
    void await_request(Now now) noexcept;
    void finish(Now now);
    bool meets_min_rate(std::uint64_t queued);
    /// The next check of the peer's rate. It does not move while a response is being sent.
    Instant rate_check_at() const noexcept { return timer_ == Timer::transmit ? deadline_ : never; }
    /// The handler has the request.
    bool is_current(RequestId id) const noexcept {
        return phase_ == Phase::handling && id == requests_;
    }
    void cut(Outcome why, Now now);
    void close() noexcept;
    void mark_busy() noexcept;

    // http1_continuing.cpp: requests that go on after their handler has returned
    UserCode user_code() noexcept { return {workspace_.failures, slot().request()}; }
    enum class ContinuationResult : std::uint8_t {
        waits,
        reads_on,  // the sink takes more
        moved_on,  // there is a response, or content is wanted: the phase has changed
    };
    bool has_continuation() const noexcept;
    void start_continuation(Later&& later, Now now);
    void go_on(Now now);
    ContinuationResult poll_continuation(Now now);
    ContinuationResult apply_continuation(Reply&& reply, Now now);
    void answer_early(Response&& response, Now now);
    void renew_answer_time(Now now) noexcept;
    void cut_continuation() noexcept;
    Instant wake_at() const noexcept;
    Instant answer_by() const noexcept;
    bool is_resumed(Now now);

    // http1_connection.cpp: state that outlasts the workspace
    Retained& retained();
    RequestSlot& slot() noexcept;
    bool head_started() noexcept;
    OutputBuffer& output() noexcept;
    void static_503_sent(std::uint64_t size, Now now);
    void keep_output();
    void keep_slot();
    void charge();
    void let_go() noexcept;

    // http1_tunnel.cpp: another protocol, after an Upgrade
    bool is_tunnel() const noexcept;
    static bool is_tunnel(Response& response) noexcept;
    void begin_tunnel(Response&& response, const Request& request, Now now);
    bool accepts_input() const noexcept;
    void feed_tunnel();
    void pump_tunnel(Now now);
    void rest_in_tunnel(Now now);
    void go_on_in_tunnel(Now now);
    void receive_in_tunnel(std::string_view bytes, Now now);
    void end_input_of_tunnel(Now now);
    void retire_tunnel(Now now);

    // http1_receiving.cpp: from bytes to requests
    void take_in(std::string_view bytes);
    void read_head(Now now);
    void await_head() noexcept;
    void begin_request(RequestSlot& request, Now now);
    void begin_content(std::unique_ptr<Sink>* sink, Now now);
    void read_content(Now now);
    bool read_sized(Now now);
    bool read_chunked(Now now);
    bool deliver(std::string_view data, Now now);
    void end_content(std::string trailers, Now now);
    void await_content(Now now);
    bool skip_content();

    // http1_responding.cpp: from responses to bytes
    void refuse(Fault fault, Now now);
    void answer(Response&& response, Now now);
    void refuse_tunnel(Response&& response, Now now);
    void render_answer(Response&& response, const Request* request, Now now);
    bool ask_source(const Response& response, std::optional<std::uint64_t>& size);
    void answer_in_place_of(Response&& response, const Request* request, Now now);
    void begin_sending(Response&& response, Delimiter delimiter, std::optional<std::uint64_t> size,
                       Now now);
    void take_outgoing(Response&& response, Delimiter delimiter, std::optional<std::uint64_t> size);
    Outgoing::Pull gather();
    void pull(Now now, Instant at_latest = never);
    void end_sending(Outcome outcome, Now now);
    void next_request(Sent sent, Now now);
    void report(Status status, std::uint64_t content_bytes, Outcome outcome, Now now);

    Workspace& workspace_;
    Origin& origin_;
    std::string_view input_;  // received, not yet read; in the engine's buffer or in retained_
    std::unique_ptr<Retained> retained_;  // null if no state must outlast the workspace
    std::unique_ptr<Outgoing> outgoing_;
    std::uint32_t sent_ = 0;      // bytes so far, modulo 2^32
    std::uint32_t requests_ = 0;  // so far; the id of the current one
    Phase phase_ = Phase::idle;
    Timer timer_ = Timer::none;
    Ending ending_ = Ending::none;
    bool retiring_ = false;             // the server stops
    bool marked_busy_ = false;          // the observer knows of a request that the stop found
    bool output_lost_ = false;          // responses to earlier requests
    std::uint8_t static_503_left_ = 0;  // bytes of the static response that are still to be sent
};

/// The one place where phase, step, timer and deadline change.
template <exchange::Event event>
void Http1Connection::on(Now now, Instant at_latest) noexcept {
    const exchange::Move move = exchange::http1::table.move<event>(phase_);
    phase_ = move.to;
    if (move.step.is_set) step_ = move.step.value;
    if (!move.timer.is_set) return;
    timer_ = move.timer.value;
    deadline_ = std::min(exchange::due(workspace_.timeouts, timer_, now.instant), at_latest);
}

}  // namespace weir::http
