#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "http/frames/frame.h"
#include "http/frames/goaway_sequence.h"
#include "http/hpack/decoder.h"
#include "http/http2/session.h"

namespace weir::http::http2 {

/// The meaning of received frames for the connection and its streams (RFC 9113 6).
class Receiver {
   public:
    explicit Receiver(Session& session) noexcept : session_{session} {}

    // The functions that FrameParser calls.
    void send_settings();
    void begin();
    bool begin_data(const FrameHead& head, std::size_t framing);
    bool take_content(StreamId id, std::string_view bytes);
    bool end_of_content(StreamId id);
    bool take_section(StreamId id, bool ends, std::string_view block);
    bool take_frame(const FrameHead& head, std::string_view payload);
    bool fault(ErrorCode code) noexcept;

    /// The rule of the connection that the peer broke.
    std::optional<ErrorCode> broken_rule() const noexcept { return broken_rule_; }
    /// The last stream that the peer has opened; 0: none.
    StreamId last_stream() const noexcept { return last_stream_; }
    /// The end of the connection, of which received frames are a part.
    GoawaySequence& goaway() noexcept { return goaway_; }
    const GoawaySequence& goaway() const noexcept { return goaway_; }
    /// Its memory in bytes.
    std::size_t bytes() const noexcept { return decoder_.bytes(); }

   private:
    bool is_data_due(const FrameHead& head);
    bool take_priority(const FrameHead& head, std::string_view payload);
    bool take_reset(const FrameHead& head, std::string_view payload);
    bool take_settings(const FrameHead& head, std::string_view payload);
    bool apply(Setting setting, std::uint32_t value);
    bool move_send_windows(std::int64_t change);
    bool take_ping(const FrameHead& head, std::string_view payload);
    bool take_goaway(const FrameHead& head, std::string_view payload);
    bool take_window(const FrameHead& head, std::string_view payload);
    bool take_priority_update(const FrameHead& head, std::string_view payload);
    bool stream_fault(StreamId id, ErrorCode code);
    bool spend(Allowance& allowance);
    bool is_idle(StreamId id) const noexcept { return id > last_stream_ || id % 2 == 0; }

    bool take_request_section(StreamId id, bool ends, std::string_view block);
    bool take_trailer_section(Stream& stream, bool ends, std::string_view block);
    bool skip_section(std::string_view block);
    bool begin_request(Stream& stream, bool ends, std::string_view block);

    Session& session_;
    hpack::Decoder decoder_;
    GoawaySequence goaway_;
    StreamId last_stream_ = 0;
    std::optional<ErrorCode> broken_rule_;
};

}  // namespace weir::http::http2
