#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "http/workspace.h"
#include "support/multiplex_frames.h"
#include "support/multiplex_output.h"
#include "support/multiplex_stream.h"
#include "weir/http/connection.h"

namespace weir::tests::multiplex {

/// What one connection may hold.
struct Bounds {
    std::size_t requests = 100;  // whose reply is due, canceled or not; then it reads no more
    std::size_t streams = 256;   // open at once; one more is refused
    std::uint64_t output_bytes = 256 * 1024;  // unsent; then it reads no more
    std::uint64_t content_bytes = 64 * 1024;  // of those, content that takes its turn
};

/// The server's side of the test protocol (multiplex_frames.h): the proof that the contract carries
/// requests side by side, both directions at once, over every engine.
class Connection final : public http::Connection {
   public:
    Connection(http::Workspace& workspace, http::Origin& origin, Now now, Bounds bounds = {});
    ~Connection() override;

   private:
    using Streams = std::map<std::uint32_t, std::unique_ptr<Stream>>;
    using Reply = http::Reply;
    using Outcome = http::Outcome;

    http::CloseImpact do_close_impact() const noexcept override;
    const http::Request& do_take_request() override;
    bool do_awaits(http::RequestId id) const noexcept override;
    http::Transmission do_transmit() override;
    void do_receive(std::string_view bytes, Now now) override;
    void do_receive_end(Now now) override;
    void do_respond(http::RequestId id, Reply&& reply, Now now) override;
    void do_wake(http::RequestId id, Now now) override;
    void do_transmitted(std::uint64_t size, Now now) override;
    void do_expire(Now now, std::uint64_t queued) override;
    void do_turn_away(Now now) override;
    void do_retire(Now now) override;
    void do_fail(Outcome why, Now now) override;
    void do_settle(Now /*now*/) override { keep_input(); }

    // multiplex_connection.cpp: from step to step
    void advance(Now now);
    http::Step next_step() const;
    void say_goaway();
    bool is_finished() const;
    bool can_take() const noexcept;
    bool has_live_streams() const;
    void keep_input();
    void update_deadline();
    bool takes_enough(std::uint64_t queued);
    void close() noexcept;
    void cut(Outcome why);
    void note_work() noexcept;

    // multiplex_receiving.cpp: from frames to requests and their content
    void read_frames();
    bool take_frame(const Frame& frame);
    bool open_stream(const Frame& frame);
    bool take_content(Stream& stream, const Frame& frame);
    bool take_window(const Frame& frame);
    void begin_content(Stream& stream, std::unique_ptr<http::Sink> sink);
    void deliver_content(Stream& stream);
    bool collect_content(Stream& stream);
    void grant_held(Stream& stream);
    bool feed_sink(Stream& stream);
    void cut_unfinished_content();

    // multiplex_answering.cpp: from replies to frames, and streams to their end
    void answer(Stream& stream, http::Response&& response);
    void fill_output();
    Stream* next_in_turn();
    bool can_send(Stream& stream);
    void send_piece(Stream& stream);
    void refuse(Stream& stream, std::string_view why, Outcome outcome);
    void refuse_all(std::string_view why, Outcome outcome);
    void end_stream(Stream& stream, Outcome outcome);
    void report(const Stream& stream, Outcome outcome);
    void expire_streams();
    void arm(Stream& stream, Stream::Timer timer);

    Stream* find(std::uint64_t id) const noexcept;
    Instant after(std::chrono::milliseconds timeout) const noexcept;
    void set(Instant& deadline, bool is_due, std::chrono::milliseconds timeout) const noexcept;

    http::Workspace& workspace_;
    http::Origin& origin_;
    const Bounds bounds_;
    Now now_;  // of the call that is being made, or the last one

    Streams streams_;                  // those that are canceled too, while their reply is due
    std::deque<std::uint32_t> ready_;  // for take_request()
    std::size_t at_handlers_ = 0;
    std::uint32_t last_stream_ = 0;  // that was opened
    std::uint32_t last_turn_ = 0;    // the stream that gave the last piece
    std::int64_t send_window_ = first_connection_window;
    Output output_;
    std::string_view input_;  // received, not yet read; in the engine's buffer or in kept_input_
    std::string kept_input_;
    std::uint64_t sent_ = 0;   // bytes, so far
    std::uint64_t taken_ = 0;  // of those, by the peer, at the last look

    Instant head_deadline_ = never;    // a frame has begun
    Instant idle_deadline_ = never;    // no stream is open
    Instant output_deadline_ = never;  // the next look at what the peer takes
    Instant drain_deadline_ = never;   // it goes on sending, and pauses
    Instant drained_by_ = never;
    Instant grace_deadline_ = never;  // a first request may still come, although the server stops

    bool input_ended_ = false;
    bool leaves_ = false;  // takes no more streams than have arrived
    bool goaway_said_ = false;
    bool closing_ = false;  // once the output is sent
    bool retired_ = false;
    bool noted_work_ = false;
};

}  // namespace weir::tests::multiplex
