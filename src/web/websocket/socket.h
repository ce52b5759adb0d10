#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
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
#include "weir/http/tunnel.h"
#include "weir/web/await.h"
#include "weir/web/websocket.h"

namespace weir::web::detail {

/// The choices of a handshake.
struct SocketTerms {
    std::uint32_t protocol = 0;    // its place in the options, from 1; 0: none
    std::uint8_t window_bits = 0;  // of ws::DeflateTerms
};

/// One end of a WebSocket (RFC 6455), without I/O: between the coroutine and the bytes of the
/// connection. A socket holds one message of the peer at most, and sends the messages of coroutines
/// one after the other. Most sockets wait most of the time: the state of what they seldom do exists
/// while they do it.
///
/// Only the connection's thread uses it. The connection and the coroutine's WebSocket share it, and
/// any thread may release it: a coroutine may end on the thread that it waited for.
class Socket : public http::Tunnel {
   public:
    ~Socket() override = default;
    void share() noexcept { shares_.fetch_add(1, std::memory_order_relaxed); }
    void release() noexcept;
    /// `delete` is the release by the connection.
    static void operator delete(Socket* socket, std::destroying_delete_t) noexcept;

    // ---- the coroutine's side ----

    bool has_message() const noexcept { return has_message_ && !message_is_out_; }
    std::optional<Message> take_message() noexcept;
    /// Frees the message that the coroutine took.
    void release_message() noexcept;
    void put(SendBase& send) noexcept;
    /// Called when the coroutine waits for `send` no longer. A message of which the peer may have a
    /// part is completed from a copy.
    void withdraw(SendBase& send) noexcept;
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
        if (protocol_ == 0) return {};
        return options().protocols[protocol_ - 1];
    }
    std::shared_ptr<Outbox> outbox();

    // ---- the connection's side ----

    bool takes() const noexcept final {
        return !has_message_ && !heard_close_ && !input_ended_ && !has_failed_;
    }
    /// Reads up to the end of a message.
    std::size_t take(std::string_view bytes) final;
    void end_input() noexcept final;
    void retire() noexcept final { close(CloseCode::going_away, {}); }
    std::size_t bytes() const noexcept final { return reader_ ? reader_->bytes() : 0; }
    /// Writes frames, as far as they fit. Returns the number of bytes.
    std::size_t give(std::span<char> into);
    /// Queues a ping if one is due. False: the peer is lost.
    bool look_after_peer(Instant now);
    /// True if both sides have closed.
    bool is_closed() const noexcept {
        return input_ended_ || (gave_close_ && (heard_close_ || has_failed_));
    }
    /// True if the time for closing is over.
    bool is_overdue(Instant now) const noexcept {
        return heartbeat_.is_closing() && now >= heartbeat_.due(options());
    }
    Instant due() const noexcept override;
    /// Called when the connection has ended. Later calls come only from the destruction of the
    /// coroutine.
    void end() noexcept;

   protected:
    Socket(http::Waker waker, AbandonedJobs* jobs, std::shared_ptr<SocketUser> user,
           SocketTerms terms) noexcept
        : runner_{std::move(waker), jobs},
          window_bits_{terms.window_bits},
          heartbeat_{runner_.now()},
          protocol_{terms.protocol},
          user_{std::move(user)} {}

    Runner& runner() noexcept { return runner_; }
    const Runner& runner() const noexcept { return runner_; }
    const std::shared_ptr<SocketUser>& user() const noexcept { return user_; }

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
        std::shared_ptr<Outbox> outbox{};  // null before outbox() was called
        std::unique_ptr<Frame> frame{};    // null while no frame is half sent
        std::vector<std::string> pongs{};  // to be sent
        std::string close_reason{};
    };

    const WebSocketOptions& options() const noexcept { return user_->options; }
    Outbox* own_outbox() const noexcept { return rare_ ? rare_->outbox.get() : nullptr; }
    Rare& rare();
    void begin_reading();
    void end_reading() noexcept;
    void take_event(ws::FrameReader::Event event);
    void take_ping();
    void take_close();
    void fail(CloseCode code);
    void begin_closing(CloseCode code);
    bool has_nothing_to_send() const noexcept;
    bool next_frame(Frame& frame);
    bool next_control_frame(Frame& frame);
    bool is_half_sent() const noexcept { return rare_ && rare_->frame; }
    bool is_sending_half() const noexcept { return is_half_sent() && rare_->frame->is_sending; }
    void keep_payload() noexcept;
    void keep(Frame&& frame);
    void forget_frame() noexcept;
    static Frame control_frame(ws::Opcode opcode, std::string&& payload);
    Frame message_frame(const Message& message) const noexcept;
    std::shared_ptr<const std::string> compressed(std::string_view message) const noexcept;
    void lose_messages() noexcept;
    bool next_message(Frame& frame);
    std::size_t give_some(Frame& frame, std::span<char> into) noexcept;

    // In the order that leaves no gaps: small members lie in the padding of those before them.
    [[no_unique_address]] Runner runner_;
    const std::uint8_t window_bits_;
    CloseCode close_code_ = CloseCode::none;
    std::atomic<std::uint32_t> shares_ = 1;
    [[no_unique_address]] ws::Heartbeat heartbeat_;
    bool has_message_ : 1 = false;
    bool message_is_out_ : 1 = false;  // the coroutine uses it
    bool has_heard_ : 1 = false;       // since look_after_peer()
    bool owes_ping_ : 1 = false;
    bool asked_to_close_ : 1 = false;  // a close frame is due, or given
    bool closed_first_ : 1 = false;    // the reason is of this side
    bool gave_close_ : 1 = false;
    bool heard_close_ : 1 = false;
    bool input_ended_ : 1 = false;
    bool has_failed_ : 1 = false;  // the peer broke a rule, and is ignored
    bool is_gone_ : 1 = false;
    bool is_broken_ : 1 = false;  // there was no memory for the rest of a message
    const std::uint32_t protocol_;
    const std::shared_ptr<SocketUser> user_;
    std::unique_ptr<ws::FrameReader> reader_{};  // null between messages
    SendBase* sending_ = nullptr;  // the first that waits; all lie in frames of coroutines
    std::unique_ptr<Rare> rare_{};
};

}  // namespace weir::web::detail
