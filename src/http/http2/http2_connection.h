#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "http/frames/frame_parser.h"
#include "http/http2/bounds.h"
#include "http/http2/receiver.h"
#include "http/http2/session.h"
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
/// Each class has a part of the way: FrameParser (bytes to frames), Receiver (frames to events),
/// Exchange (events of one request), Sender (responses to frames). Session is the state between them.
/// This class has the steps, the deadlines and the end of the connection.
///
/// An idle connection owns no buffer but the table of its peer's fields (hpack/).
class Http2Connection final : public Connection {
   public:
    Http2Connection(Workspace& workspace, Origin& origin, Now now, http2::Bounds bounds = {});
    ~Http2Connection() override;

   private:
    using ErrorCode = http2::ErrorCode;

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

    // http2_connection.cpp: from step to step
    void advance(Now now);
    Step next_step() const noexcept;
    bool can_take() const noexcept;
    bool is_finished() const noexcept;
    void begin_closing(Now now) noexcept;
    void end_what_waits_for_peer();
    void begin_goaway(std::chrono::milliseconds grace);
    /// Null before the preface: nothing may be sent.
    OutputBuffer* replies_if_begun() {
        return parser_.preface_read() ? &session_.replies() : nullptr;
    }
    void end_with(ErrorCode code);
    void cut(Outcome why) noexcept;
    void close() noexcept;
    void note_requests() noexcept;
    void mark_busy() noexcept;
    void charge();

    // http2_deadlines.cpp: deadlines
    void set(Instant& deadline, bool is_due, std::chrono::milliseconds timeout) const noexcept;
    void update_deadline() noexcept;
    bool meets_min_rate(std::uint64_t queued) noexcept;
    void expire_streams();

    http2::Session session_;
    http2::FrameParser parser_;
    http2::Receiver receiver_;
    Share share_;
    http2::StreamId last_taken_ = 0;  // the last stream whose request a handler took
    std::uint64_t sent_ = 0;          // bytes
    std::uint64_t taken_ = 0;         // bytes of sent_ that the peer had at the last check
    struct {
        Instant head = never;    // a frame or a section is incomplete
        Instant idle = never;    // no stream is open
        Instant output = never;  // the next check of the peer's rate
        Instant drain = never;
        Instant drained = never;
        Instant gone = never;  // an evicted or idle connection without requests is cut
    } due_;
    bool lingers_ = false;  // the peer may still be sending
    bool marked_busy_ = false;
};

}  // namespace weir::http
