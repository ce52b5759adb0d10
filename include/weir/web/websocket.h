#pragma once

#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/web/await.h"
#include "weir/web/call.h"
#include "weir/web/message_compression.h"
#include "weir/web/response.h"
#include "weir/web/task.h"

namespace weir::web {

class Topics;
class WebSocket;

/// The reason for a close (RFC 6455 7.4). Numbers from 3000 to 4999 are free for programs: cast
/// them.
enum class CloseCode : std::uint16_t {
    normal = 1000,
    going_away = 1001,        // the server stops, or the page is left
    protocol_error = 1002,    // the peer broke RFC 6455
    unsupported_data = 1003,  // a message of this kind is not expected
    none = 1005,              // the peer gave no code. Never sent
    lost = 1006,              // the connection ended without a close. Never sent
    invalid_text = 1007,      // a text is not UTF-8
    policy_violation = 1008,
    message_too_large = 1009,
    internal_error = 1011,  // the coroutine threw an exception
    try_again_later = 1013,
};

enum class MessageKind : std::uint8_t { text, binary };

struct Message {
    std::string_view data;  // text is UTF-8
    MessageKind kind = MessageKind::text;

    bool is_text() const noexcept { return kind == MessageKind::text; }
};

struct WebSocketOptions {
    /// The largest message of the peer, in bytes, all fragments together. A larger one closes the
    /// socket with 1009.
    std::size_t message_bytes_max = 1024 * 1024;
    /// The subprotocols of the handler, the best first. The server chooses the first one that the
    /// peer offers; see WebSocket::protocol().
    std::vector<std::string> protocols{};
    /// The origins whose pages may connect in addition to the server's own, as
    /// "https://app.example.org"; "*": all. A page of another origin gets a 403. Clients that are
    /// no browsers send no Origin, and may connect.
    std::vector<std::string> origins{};
    /// A ping is sent when the peer has sent nothing for this time. 0: never.
    std::chrono::milliseconds ping_every{30'000};
    /// The connection ends if the peer sends nothing for this time after a ping.
    std::chrono::milliseconds pong_within{20'000};
    /// The time for the peer's part of the closing, and for the coroutine to return.
    std::chrono::milliseconds close_within{5'000};
    /// The limit of the messages in the queue of a WebSocketSender and of Topics, in bytes.
    std::size_t queue_bytes_max = 1024 * 1024;
    /// Compresses the messages of both sides, if the peer offers that, as browsers do: see
    /// permessage_deflate() in weir/compress/permessage_deflate.h. Null: no message is compressed.
    std::shared_ptr<const MessageCompression> compression{};
};

namespace detail {

class Socket;
class Outbox;

/// The coroutine that uses a socket, and the options of that socket. Many sockets may share it.
class SocketUser {
   public:
    explicit SocketUser(WebSocketOptions own) noexcept : options{std::move(own)} {}
    virtual ~SocketUser() = default;
    virtual Task<> start(WebSocket socket) = 0;

    const WebSocketOptions options;
};
template <typename Give>
struct SocketUserOf final : SocketUser {
    SocketUserOf(Give&& own, WebSocketOptions its)
        : SocketUser{std::move(its)}, give{std::move(own)} {}
    Task<> start(WebSocket socket) override;
    Give give;
};

/// The wait for the next message.
class [[nodiscard("receive() does nothing without co_await")]] Receive final : public Awaited {
   public:
    explicit Receive(Socket& socket) noexcept;

    bool begin(Runner&) const noexcept { return !is_there(); }
    std::optional<Message> await_resume() const noexcept;
    bool is_ready(Instant) noexcept override { return is_there(); }

   private:
    bool is_there() const noexcept;

    Socket& socket_;
};

/// The wait until all of a message is on its way.
class SendBase : public Awaited {
   public:
    bool begin(Runner&) noexcept;
    bool await_resume() const noexcept { return is_taken_; }
    bool is_ready(Instant) noexcept override { return is_taken_ || is_lost_; }
    bool end() noexcept override;

    Message message() const noexcept { return {.data = data_, .kind = kind_}; }
    void note_taken() noexcept { is_taken_ = true; }
    void note_lost() noexcept { is_lost_ = true; }

   protected:
    SendBase(Socket& socket, std::string_view data, MessageKind kind) noexcept
        : kind_{kind}, socket_{socket}, data_{data} {}
    ~SendBase() = default;
    void refer_to(std::string_view data) noexcept { data_ = data; }

   private:
    friend Socket;

    bool is_taken_ = false;  // small members first: they lie in the padding of Awaited
    bool is_lost_ = false;
    MessageKind kind_;
    Socket& socket_;
    SendBase* behind_ = nullptr;  // the next one of the socket that waits
    std::string_view data_;
};

class [[nodiscard("send() does nothing without co_await")]] Send final : public SendBase {
   public:
    Send(Socket& socket, const Message& message) noexcept
        : SendBase{socket, message.data, message.kind} {}
};

/// The same for a temporary string, which it keeps.
class [[nodiscard("send() does nothing without co_await")]] SendOwn final : public SendBase {
   public:
    SendOwn(Socket& socket, std::string&& own, MessageKind kind) noexcept
        : SendBase{socket, {}, kind}, own_{std::move(own)} {
        refer_to(own_);
    }

   private:
    const std::string own_;
};

Response websocket_of(const Call& call, std::shared_ptr<SocketUser> user);

}  // namespace detail

/// Sends messages on a socket from any thread: for broadcasts, and for programs that get events
/// elsewhere. Copyable; all copies are equal. It may outlive its socket: then nothing is sent.
class WebSocketSender {
   public:
    explicit WebSocketSender(std::shared_ptr<detail::Outbox> outbox) noexcept;

    /// Puts the message into the socket's queue. False if the socket closes, or if its peer reads
    /// too slowly: the queue would exceed WebSocketOptions::queue_bytes_max. Many sockets may share
    /// one message. A text must be UTF-8. The message must not be null.
    bool send(std::shared_ptr<const std::string> message,
              MessageKind kind = MessageKind::text) const;
    bool send(std::string message, MessageKind kind = MessageKind::text) const {
        return send(std::make_shared<const std::string>(std::move(message)), kind);
    }
    /// Closes the socket after the messages in its queue; see WebSocket::close().
    void close(CloseCode code = CloseCode::normal, std::string_view reason = {}) const;

    bool operator==(const WebSocketSender&) const = default;

   private:
    friend Topics;

    std::shared_ptr<detail::Outbox> outbox_;
};

/// A WebSocket (RFC 6455), as its coroutine has it. Movable. Several coroutines of one task_group()
/// may send, and one receives; sender() is for other threads. The library sends pings, and responds
/// to those of the peer. When the coroutine returns, the socket closes with 1000.
///
/// If the connection breaks, the coroutine ends where it waits, and its variables are destroyed. If
/// the peer closes, or the server stops (1001), receive() returns nothing, and the coroutine has
/// WebSocketOptions::close_within to return.
class WebSocket {
   public:
    explicit WebSocket(detail::Socket& socket) noexcept;
    WebSocket(WebSocket&&) noexcept;
    WebSocket& operator=(WebSocket&&) = delete;
    ~WebSocket();

    /// `co_await socket.receive()`: the next message; null once the socket closes. Its bytes are
    /// valid until the next call. The peer may send one message ahead, and then has to wait. Pings
    /// are read only up to that message: a coroutine that only sends should not expect any.
    detail::Receive receive() noexcept { return detail::Receive{*socket_}; }

    /// `co_await socket.send(text)`: true when all of the message is on its way, so a peer that
    /// reads slowly slows the coroutine down. Of a message that is not compressed, at most 48 KB
    /// are copied. False if the socket closes. The bytes are borrowed until then, but for those of
    /// a temporary string; they must be UTF-8.
    detail::Send send(std::string_view text) noexcept {
        return {*socket_, {.data = text, .kind = MessageKind::text}};
    }
    detail::Send send(const char* text) noexcept { return send(std::string_view{text}); }
    detail::SendOwn send(std::string&& text) noexcept {
        return {*socket_, std::move(text), MessageKind::text};
    }
    detail::Send send_binary(std::string_view bytes) noexcept {
        return {*socket_, {.data = bytes, .kind = MessageKind::binary}};
    }
    detail::SendOwn send_binary(std::string&& bytes) noexcept {
        return {*socket_, std::move(bytes), MessageKind::binary};
    }
    /// Sends a message of the same kind as another one: an echo.
    detail::Send send(const Message& message) noexcept { return {*socket_, message}; }

    /// Closes the socket: it receives no more messages, and sends the earlier ones first. Does
    /// nothing if the socket closes already. `reason` is UTF-8 of at most 123 bytes; a longer one
    /// is cut. Throws std::invalid_argument for a code that may not be sent.
    void close(CloseCode code = CloseCode::normal, std::string_view reason = {});

    /// After receive() has returned null: the peer's code, or `lost`, or the code of this side.
    CloseCode close_code() const noexcept;
    std::string_view close_reason() const noexcept;

    /// The subprotocol that was chosen; empty: none.
    std::string_view protocol() const noexcept;
    /// The sender may outlive the socket.
    WebSocketSender sender();

   private:
    detail::Socket* socket_;  // shared; null: moved
};

template <typename Give>
Task<> detail::SocketUserOf<Give>::start(WebSocket socket) {
    constexpr bool takes_it = std::is_invocable_r_v<Task<>, Give&, WebSocket>;
    static_assert(takes_it,
                  "the coroutine of a WebSocket takes it by value: [](WebSocket socket) -> Task<>");
    if constexpr (takes_it) return give(std::move(socket));
}

/// Responds with a WebSocket. `give` is a coroutine, `Task<>(WebSocket)`; the library keeps it, and
/// its captures, until the socket has ended. It is called on the connection's thread. A request
/// that does not open a WebSocket, or is malformed, gets a 400 or a 426, and a page of another
/// origin a 403. For a GET.
template <typename Give>
Response websocket(const Call& call, Give give, WebSocketOptions options = {}) {
    return detail::websocket_of(
        call, std::make_shared<detail::SocketUserOf<Give>>(std::move(give), std::move(options)));
}

/// A handler for Routes::get() with the same effect. All sockets share `give`.
template <typename Give>
auto websocket(Give give, WebSocketOptions options = {}) {
    return
        [user = std::make_shared<detail::SocketUserOf<Give>>(std::move(give), std::move(options))](
            const Call& call) { return detail::websocket_of(call, user); };
}

}  // namespace weir::web
