#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "web/stream/outbox.h"
#include "web/websocket/frame_head.h"
#include "web/websocket/frame_reader.h"
#include "web/websocket/heartbeat.h"
#include "web/websocket/permessage_deflate.h"
#include "weir/web/websocket.h"

namespace weir::web::detail {

/// The options of a socket, and the choices of its handshake.
struct SocketTerms {
    std::shared_ptr<const WebSocketOptions> options;
    const std::string* protocol = nullptr;  // of the options; null: none
    std::uint8_t window_bits = 0;           // of ws::DeflateTerms
};

/// One end of a WebSocket (RFC 6455), without I/O: between the coroutine and the bytes of the
/// connection. A socket holds one message of the peer at most, and sends the messages of coroutines
/// one after the other.
///
/// Only the connection's thread uses it.
class Socket {
   public:
    /// Borrows the waker.
    Socket(const http::Waker& waker, SocketTerms terms) noexcept;

    // ---- the coroutine's side ----

    bool has_message() const noexcept { return has_message_ && !message_is_out_; }
    std::optional<Message> take_message() noexcept;
    /// Frees the message that the coroutine took.
    void release_message() noexcept;
    void put(Send& send) noexcept;
    /// Called when the coroutine waits for `send` no longer. A message of which the peer may have a
    /// part is completed from a copy.
    void withdraw(Send& send) noexcept;
    /// True if the socket closes, for any reason: it receives and sends no more messages.
    bool is_closing() const noexcept {
        return asked_to_close_ || heard_close_ || input_ended_ || is_gone_;
    }
    void close(CloseCode code, std::string_view reason);
    CloseCode close_code() const noexcept { return close_code_; }
    std::string_view close_reason() const noexcept {
        return rare_ ? std::string_view{rare_->close_reason} : std::string_view{};
    }
    std::string_view protocol() const noexcept {
        return terms_.protocol != nullptr ? std::string_view{*terms_.protocol} : std::string_view{};
    }
    std::shared_ptr<Outbox> outbox();

    // ---- the connection's side ----

    /// True if the socket reads bytes of the peer.
    bool takes() const noexcept {
        return !has_message_ && !heard_close_ && !input_ended_ && !has_failed_;
    }
    /// Reads up to the end of a message. Returns the number of bytes.
    std::size_t take(std::string_view bytes);
    void end_input() noexcept;
    /// Writes frames, as far as they fit. Returns the number of bytes.
    std::size_t give(std::span<char> into);
    /// Queues a ping if one is due. False: the peer is lost.
    bool look_after_peer(Instant now);
    /// True if both sides have closed.
    bool is_closed() const noexcept {
        return input_ended_ || (gave_close_ && (heard_close_ || has_failed_));
    }
    /// True if the time for closing is over.
    bool is_overdue(Instant now) const noexcept { return now >= close_by_; }
    Instant due() const noexcept;
    /// Called when the connection has ended. Later calls come only from the destruction of the
    /// coroutine.
    void end() noexcept;
    /// The memory that the socket holds for its peer, in bytes.
    std::size_t bytes() const noexcept { return reader_.bytes(); }

   private:
    /// The frame that is being sent. Its payload belongs to the coroutine, or to the frame.
    struct Frame {
        ws::FrameHead head;
        std::size_t given = 0;  // bytes of head and payload
        std::string_view payload{};
        std::shared_ptr<const std::string> shared{};  // null: the payload is the coroutine's
        bool is_sending = false;                      // the coroutine waits for the frame

        std::size_t left() const noexcept { return head.bytes().size() + payload.size() - given; }
    };

    /// The state that most sockets never need.
    struct Rare {
        std::vector<std::string> pongs{};  // to be sent
        std::string close_reason{};
    };

    Rare& rare();
    void take_event(ws::FrameReader::Event event);
    void take_ping();
    void take_close();
    void fail(CloseCode code);
    void begin_closing(CloseCode code);
    bool has_nothing_to_send() const noexcept;
    bool next_frame(Frame& frame);
    bool next_control_frame(Frame& frame);
    bool is_sending_half() const noexcept;
    void keep_payload() noexcept;
    static Frame control_frame(ws::Opcode opcode, std::string&& payload);
    Frame message_frame(const Message& message) const noexcept;
    std::shared_ptr<const std::string> compressed(std::string_view message) const noexcept;
    void lose_messages() noexcept;
    bool next_message(Frame& frame);
    std::size_t give_some(Frame& frame, std::span<char> into) noexcept;

    const http::Waker& waker_;
    SocketTerms terms_;
    std::shared_ptr<Outbox> outbox_;  // null before outbox() was called
    ws::FrameReader reader_;
    ws::Heartbeat heartbeat_;

    std::unique_ptr<Frame> frame_;  // null while no frame is half sent
    Send* sending_ = nullptr;       // the first that waits; all lie in frames of coroutines
    std::unique_ptr<Rare> rare_;
    Instant close_by_ = never;
    CloseCode close_code_ = CloseCode::none;
    bool has_message_ = false;
    bool message_is_out_ = false;  // the coroutine uses it
    bool has_heard_ = false;       // since look_after_peer()
    bool owes_ping_ = false;
    bool asked_to_close_ = false;  // a close frame is due, or given
    bool closed_first_ = false;    // the reason is of this side
    bool gave_close_ = false;
    bool heard_close_ = false;
    bool input_ended_ = false;
    bool has_failed_ = false;  // the peer broke a rule, and is ignored
    bool is_gone_ = false;
    bool is_broken_ = false;  // there was no memory for the rest of a message
};

}  // namespace weir::web::detail
