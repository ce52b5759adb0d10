#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/syntax/utf8.h"
#include "web/websocket/mask.h"
#include "web/websocket/protocol.h"
#include "weir/web/websocket.h"

namespace weir::web::ws {

/// Reads what a client sends (RFC 6455 5): frames, in pieces of any size, into messages. It stops
/// behind each message and each control frame. The result is the same for every split.
class FrameReader {
   public:
    enum class Event : std::uint8_t {
        more,     // all bytes were read
        message,  // message() is whole; next() before the next read()
        ping,     // control() has the payload until the next read(), as with the next two
        pong,
        close,
        fault,  // the client broke a rule: fault() says which. Nothing more is read
    };
    struct Step {
        std::size_t size;  // of what was read
        Event event;
    };

    explicit FrameReader(std::size_t message_bytes_max) noexcept
        : message_bytes_max_{message_bytes_max} {}

    Step read(std::string_view bytes);

    Message message() const noexcept { return {.data = message_, .kind = kind_}; }
    /// The message is not needed any more.
    void next() noexcept;
    std::string_view control() const noexcept { return control_; }
    CloseCode fault() const noexcept { return fault_; }

    /// The memory that it holds, in bytes.
    std::size_t bytes() const noexcept {
        return message_.capacity() > kept_bytes_max ? message_.capacity() : 0;
    }

   private:
    static constexpr std::size_t head_bytes_max = 14;
    /// A buffer of this size stays for the next message.
    static constexpr std::size_t kept_bytes_max = 1024;

    std::size_t read_head(std::string_view bytes);
    bool is_start_good();
    bool is_opcode_good();
    std::size_t head_bytes() const noexcept;
    bool begin_payload();
    std::uint64_t length() const noexcept;
    bool take(std::string_view payload);
    Event end_frame();
    bool fail(CloseCode why) noexcept;
    Opcode opcode() const noexcept { return static_cast<Opcode>(head_[0] & 0x0f); }
    bool is_last() const noexcept { return (head_[0] & 0x80) != 0; }

    std::size_t message_bytes_max_;
    std::uint64_t left_ = 0;  // of the payload
    std::string message_;
    std::string control_;
    std::array<unsigned char, head_bytes_max> head_{};
    std::uint8_t head_size_ = 0;  // so much of it was read
    Mask mask_;
    http::Utf8 text_;
    CloseCode fault_ = CloseCode::none;
    MessageKind kind_ = MessageKind::text;
    bool in_payload_ = false;
    bool in_message_ = false;  // fragments are due
};

}  // namespace weir::web::ws
