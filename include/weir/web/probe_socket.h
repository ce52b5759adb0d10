#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/web/message_compression.h"
#include "weir/web/probe.h"
#include "weir/web/websocket.h"

namespace weir::web {

/// The peer of a WebSocket, for tests without a socket:
///
///     ProbeSocket peer{probe, "/chat"};
///     peer.send("hello");
///     EXPECT_EQ(peer.receive(), "hello");
///
/// Only one thread may use it. It may outlive the probe, but not the handler.
class ProbeSocket {
   public:
    /// Opens the socket as a browser does; `fields` are further ones of the request. With
    /// `compression`, the peer offers permessage-deflate. Throws std::runtime_error if the response
    /// is no 101.
    explicit ProbeSocket(Probe& probe, std::string_view target, const Probe::Fields& fields = {},
                         std::shared_ptr<const MessageCompression> compression = nullptr);

    /// Sends a message in one frame, with a mask.
    void send(std::string_view text);
    void send_binary(std::string_view bytes);
    /// Closes the socket. receive() still gives the messages that the server has sent before.
    void close(CloseCode code = CloseCode::normal, std::string_view reason = {});

    /// The next message of the server, text or binary. Null once the server has closed the socket.
    /// Waits for other threads as Probe::Exchange::wait() does. Answers pings.
    std::optional<std::string> receive();
    /// True if a message has come that receive() would give, or the end, without waiting.
    bool has_next();
    /// The server's code, after receive() has returned null: `lost` if the connection has ended
    /// without a close.
    CloseCode close_code() const noexcept { return close_code_; }
    std::string_view close_reason() const noexcept { return close_reason_; }

    /// The connection: for a peer that leaves, reads nothing, or sends malformed frames.
    Probe::Exchange& exchange() noexcept { return exchange_; }

   private:
    void read(const Probe::Answer& answer);
    std::size_t read_frame(std::string_view bytes);
    void take(unsigned opcode, std::string_view payload);
    std::string expanded(std::string_view payload) const;
    void send_message(unsigned opcode, std::string_view message);
    void send_frame(unsigned opcode, std::string_view payload, bool is_compressed = false);

    std::shared_ptr<const MessageCompression> compression_;  // null: no message is compressed
    Probe::Exchange exchange_;
    std::size_t read_ = 0;                // bytes of the answer's content
    std::deque<std::string> messages_{};  // that receive() has not given yet
    bool is_over_ = false;  // the server has closed the socket, or the connection has ended
    bool has_closed_ = false;
    CloseCode close_code_ = CloseCode::none;
    std::string close_reason_{};
};

}  // namespace weir::web
