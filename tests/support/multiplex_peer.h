#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/multiplex_frames.h"

namespace weir::tests::multiplex {

/// What came on one stream.
struct Received {
    int status = 0;  // 0: no answer yet
    std::string content;
    bool is_whole = false;
    std::optional<std::string> refused;  // why

    bool is_over() const { return is_whole || refused; }
};

/// The client's side of the test protocol, without a socket. A strict reader: throws Unexpected for
/// a frame that the protocol doesn't let a server send, and for data that was not granted.
class Peer {
   public:
    /// The frame that opens the next stream; its number is last_stream() then.
    std::string request(std::string_view target, FrameType type = FrameType::request);
    std::uint32_t last_stream() const { return last_stream_; }
    std::string grant(std::uint32_t stream, std::uint32_t bytes);
    std::string cancel(std::uint32_t stream);
    /// Counts what is uploaded against the window.
    std::string data(std::uint32_t stream, std::string_view content);

    void take(const Frame& frame);
    /// The frames that grant again what has come since the last call.
    std::string take_grants();

    const Received& stream(std::uint32_t number) { return state(number).received; }
    std::int64_t upload_window(std::uint32_t number) { return state(number).upload_window; }
    /// In the order in which they were over.
    const std::vector<std::uint32_t>& over() const { return over_; }
    std::optional<std::uint32_t> goaway() const { return goaway_; }
    /// Why the connection ended.
    const std::optional<std::string>& refused() const { return refused_; }

   private:
    struct State {
        Received received;
        std::int64_t window = first_stream_window;  // for what comes
        std::uint32_t to_grant = 0;
        std::int64_t upload_window = first_stream_window;
        bool canceled = false;
    };
    State& state(std::uint32_t stream);
    void take_data(State& state, std::string_view content);

    std::map<std::uint32_t, State> streams_;
    std::vector<std::uint32_t> over_;
    std::uint32_t last_stream_ = 0;
    std::int64_t window_ = first_connection_window;
    std::uint32_t to_grant_ = 0;
    std::optional<std::uint32_t> goaway_;
    std::optional<std::string> refused_;
};

}  // namespace weir::tests::multiplex
