#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/frames/closed_streams.h"
#include "http/frames/frame.h"
#include "http/frames/frame_parser.h"
#include "http/frames/goaway_sequence.h"
#include "http/frames/output_queue.h"
#include "http/frames/receive_window.h"
#include "http/hpack/decoder.h"
#include "http/http2/bounds.h"
#include "http/http2/http2_stream.h"
#include "http/http2/peer_settings.h"
#include "http/http2/turns.h"
#include "http/syntax/fault.h"
#include "http/workspace.h"
#include "weir/http/connection.h"

namespace weir::http {

/// HTTP/2 (RFC 9113) with HPACK (RFC 7541) and priorities (RFC 9218): many requests at a time. No push.
///
/// Input is read frame by frame. Content is passed on as it comes; any other frame is read once it is
/// complete. Output is rendered when no byte waits to be sent: the streams with output take turns, so
/// that one send carries frames of many streams. So bytes that transmit() has named never move, and a
/// slow peer costs little: its responses are not rendered before it has taken the last ones.
///
/// An idle connection owns no buffer but the table of its peer's fields (hpack/).
class Http2Connection final : public Connection {
   public:
    Http2Connection(Workspace& workspace, Origin& origin, Now now, http2::Bounds bounds = {});
    ~Http2Connection() override;

   private:
    using ErrorCode = http2::ErrorCode;
    using Event = exchange::Event;
    using FrameHead = http2::FrameHead;
    using Phase = exchange::Phase;
    using Priority = http2::Priority;
    using Stream = http2::Stream;
    using StreamId = http2::StreamId;
    using Timer = exchange::Timer;

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
    void do_evict(Now now) override;
    void do_retire(Now now) override;
    void do_fail(Outcome why, Now now) override;
    void do_take_ownership(Now now) override;

    /// After the first GOAWAY, the next request may be on its way for this time,
    static constexpr std::chrono::milliseconds request_grace{100};
    /// and the end of an idle connection for this one.
    static constexpr std::chrono::milliseconds close_grace{250};
    /// The largest frame of a file, if the peer takes it: other streams have their turn behind it.
    static constexpr std::uint32_t file_frame_bytes_max = 256 * 1024;

    // http2_connection.cpp: from step to step
    void advance(Now now);
    Step next_step() const noexcept;
    bool can_take() const noexcept;
    bool is_finished() const noexcept;
    void remove_if_over(const Stream& stream);
    void begin_goaway(std::chrono::milliseconds grace);
    void send_final_goaway();
    void end_with(ErrorCode code);
    void abandon(Stream& stream, Outcome why) noexcept;
    void cut(Outcome why) noexcept;
    void close() noexcept;
    void mark_busy() noexcept;
    void charge();

    // http2_deadlines.cpp: deadlines
    Instant after(std::chrono::milliseconds timeout) const noexcept;
    void set(Instant& deadline, bool is_due, std::chrono::milliseconds timeout) const noexcept;
    template <Event event>
    void on(Stream& stream, Instant at_latest = never) noexcept;
    void update_deadline() noexcept;
    bool meets_min_rate(std::uint64_t queued) noexcept;
    bool meets_min_rate(Stream& stream) noexcept;
    void expire_streams();
    bool is_blocked(const Stream& stream) const noexcept {
        return std::min(stream.send_window, send_window_) <= 0;
    }
    void expire(Stream& stream);

    // http2_frames.cpp: from frames to the state of the connection
    friend class http2::FrameParser;
    void send_settings();
    void begin();
    bool begin_data(const FrameHead& head, std::size_t framing);
    bool is_data_due(const FrameHead& head);
    bool take_frame(const FrameHead& head, std::string_view payload);
    bool take_priority(const FrameHead& head, std::string_view payload);
    bool take_reset(const FrameHead& head, std::string_view payload);
    bool take_settings(const FrameHead& head, std::string_view payload);
    bool apply(http2::Setting setting, std::uint32_t value);
    bool move_send_windows(std::int64_t change);
    bool take_ping(const FrameHead& head, std::string_view payload);
    bool take_goaway(const FrameHead& head, std::string_view payload);
    bool take_window(const FrameHead& head, std::string_view payload);
    bool take_priority_update(const FrameHead& head, std::string_view payload);
    bool fault(ErrorCode code);
    bool stream_fault(StreamId id, ErrorCode code);
    bool spend(http2::Allowance& allowance);
    bool is_idle(StreamId id) const noexcept { return id > last_stream_ || id % 2 == 0; }

    // http2_requests.cpp: from fields to requests and their content
    bool take_section(StreamId id, bool ends, std::string_view block);
    bool take_request_section(StreamId id, bool ends, std::string_view block);
    bool take_trailer_section(Stream& stream, bool ends, std::string_view block);
    bool skip_section(std::string_view block);
    bool begin_request(Stream& stream, bool ends, std::string_view block);
    void begin_content(Stream& stream, std::unique_ptr<Sink> sink);
    void take_content(StreamId id, std::string_view bytes);
    void end_of_content(StreamId id);
    void deliver_content(Stream& stream);
    bool pass_on(Stream& stream, std::string_view bytes);
    bool pause(Stream& stream);
    void resume_content(Stream& stream);
    void await_content(Stream& stream) noexcept;
    void grant(Stream& stream, std::size_t bytes);
    void grant(std::size_t bytes);
    void end_what_waits_for_peer();

    // http2_continuing.cpp: requests that go on after their handler has returned
    UserCode user_code(const Stream& stream) const noexcept {
        return {workspace_.failures, stream.slot.request()};
    }
    void start_continuation(Stream& stream, Later&& later);
    void go_on(Stream& stream);
    void wake_source(Stream& stream);
    void note_sent(Stream& stream);
    bool is_resumed(Stream& stream);
    void hasten(Stream& stream) noexcept;

    // http2_tunnel.cpp: another protocol on a stream
    void begin_tunnel(Stream& stream, Response&& response);
    void feed_tunnel(Stream& stream, std::string_view bytes);
    std::string_view feed(Stream& stream, std::string_view bytes);
    void feed_held(Stream& stream);
    http2::Content::State pump_tunnel(Stream& stream);
    bool ends_input_of_tunnel(Stream& stream);
    void retire_tunnels();

    // http2_answers.cpp: from responses to frames, and the ends of streams
    void refuse(Stream& stream, Fault fault);
    void answer(Stream& stream, Response&& response);
    void begin_answer(Stream& stream, Response&& response);
    void forget_held(Stream& stream);
    void queue(Stream& stream);
    void fill_output();
    bool can_go(const Stream& stream) const noexcept;
    void send_some(Stream& stream);
    void send_head(Stream& stream);
    bool send_content(Stream& stream);
    void write_data(Stream& stream, std::uint32_t size, bool is_last);
    void end_content(Stream& stream);
    void finish_answer(Stream& stream);
    void answer_sent(Stream& stream);
    void reset(Stream& stream, ErrorCode code, Outcome outcome);
    void end_stream(Stream& stream, Outcome outcome);
    void report(const Stream& stream, Outcome outcome) noexcept;
    OutputBuffer& replies() { return output_.replies(); }
    /// Null before the preface: nothing may be sent.
    OutputBuffer* replies_if_begun() { return parser_.preface_read() ? &replies() : nullptr; }

    Workspace& workspace_;
    Origin& origin_;
    const http2::Bounds bounds_;
    Now now_;  // of the current call, or the last one

    http2::StreamTable streams_;
    std::vector<StreamId> ready_;  // for take_request(), in order
    http2::Turns turns_;
    http2::ClosedStreams closed_;
    http2::OutputQueue output_;
    hpack::Decoder decoder_;
    http2::FrameParser parser_;

    StreamId last_stream_ = 0;  // the last stream that was opened
    StreamId last_taken_ = 0;   // the last one that a handler took
    std::uint32_t requests_ = 0;
    std::int64_t send_window_ = http2::first_window;
    http2::ReceiveWindow receive_window_;
    http2::PeerSettings peer_;

    http2::Tolerance tolerance_;
    std::uint64_t sent_ = 0;   // bytes
    std::uint64_t taken_ = 0;  // bytes of sent_ that the peer had at the last check
    Share share_;

    struct {
        Instant head = never;     // a frame or a section is incomplete
        Instant idle = never;     // no stream is open
        Instant output = never;   // the next check of the peer's rate
        Instant streams = never;  // at most the earliest of the streams
        Instant drain = never;
        Instant drained = never;
        Instant gone = never;  // an evicted or idle connection without requests is cut
    } due_;
    http2::GoawaySequence goaway_;
    bool input_ended_ = false;
    bool closing_ = false;  // no input is read; the connection ends after its output
    bool lingers_ = false;  // the peer may still be sending
    bool retired_ = false;
    bool marked_busy_ = false;
};

/// The one place where the phase and the timer of a stream change.
template <exchange::Event event>
void Http2Connection::on(Stream& stream, Instant at_latest) noexcept {
    const exchange::Move move = exchange::http2::table.move<event>(stream.phase);
    stream.phase = move.to;
    if (!move.timer.is_set) return;
    stream.timer = move.timer.value;
    stream.timer_by =
        std::min(exchange::due(workspace_.timeouts, stream.timer, now_.instant), at_latest);
    hasten(stream);
}

}  // namespace weir::http
