#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/thread_local.h"
#include "http/syntax/utf8.h"
#include "web/websocket/mask.h"
#include "web/websocket/protocol.h"
#include "weir/web/message_compression.h"
#include "weir/web/websocket.h"

namespace weir::web::ws {

/// Reads the frames of a client (RFC 6455 5), in pieces of any size, into messages. The reader
/// stops behind each message and each control frame. The result is the same for every split.
class FrameReader {
   public:
    enum class Event : std::uint8_t {
        more,     // all bytes were read
        message,  // message() is whole; call next() before the next read()
        ping,     // control() has the payload until the next read(), also for the next two
        pong,
        close,
        fault,  // the client broke a rule, see fault(). Nothing more is read
    };
    struct Step {
        std::size_t size;  // number of bytes that were read
        Event event;
    };

    /// `compression`: borrowed; null if no message may be compressed.
    explicit FrameReader(std::size_t message_bytes_max,
                         const MessageCompression* compression = nullptr) noexcept
        : message_bytes_max_{message_bytes_max}, compression_{compression} {}

    Step read(std::string_view bytes);

    Message message() const noexcept { return {.data = message_, .kind = kind_}; }
    void next() noexcept {
        message_.clear();
        control_size_ = 0;
    }
    /// True if no part of a frame or of a message was read since the last ones.
    bool is_between_messages() const noexcept {
        return !in_message_ && !in_payload_ && head_size_ == 0;
    }
    std::string_view control() const noexcept {
        return std::string_view{message_}.substr(message_.size() - control_size_);
    }
    CloseCode fault() const noexcept { return fault_; }

    /// The memory that the reader holds, in bytes.
    std::size_t bytes() const noexcept {
        return message_.capacity() > std::string{}.capacity() ? message_.capacity() : 0;
    }

    // A socket needs a reader while a message comes. Each thread keeps one with its buffer.

    /// A reader that has read nothing. The arguments are those of the constructor.
    static std::unique_ptr<FrameReader> lend(std::size_t message_bytes_max,
                                             const MessageCompression* compression);
    /// Takes a reader between messages back.
    static void give_back(std::unique_ptr<FrameReader> reader) noexcept;

   private:
    static constexpr std::size_t head_bytes_max = 14;
    using Spare = ThreadLocal<std::unique_ptr<FrameReader>>;
    static constexpr std::size_t spare_bytes_max = 64 * 1024;

    std::size_t read_head(std::string_view bytes);
    bool is_start_good();
    bool are_reserved_bits_good() const noexcept;
    bool is_opcode_good();
    std::size_t head_bytes() const noexcept;
    bool begin_payload();
    void drop_control() noexcept;
    std::uint64_t length() const noexcept;
    std::size_t payload_bytes_max() const noexcept;
    bool take(std::string_view payload);
    Event end_frame();
    bool end_message();
    bool expand();
    bool fail(CloseCode why) noexcept;
    Opcode opcode() const noexcept { return static_cast<Opcode>(head_[0] & 0x0f); }
    bool is_last() const noexcept { return (head_[0] & 0x80) != 0; }

    std::size_t message_bytes_max_;
    const MessageCompression* compression_;
    std::uint64_t left_ = 0;  // of the payload
    std::string message_;     // and behind it the payload of a control frame
    std::array<unsigned char, head_bytes_max> head_{};
    std::uint8_t head_size_ = 0;     // number of its bytes that were read
    std::uint8_t control_size_ = 0;  // bytes of the control frame
    Mask mask_;
    http::Utf8 text_;
    CloseCode fault_ = CloseCode::none;
    MessageKind kind_ = MessageKind::text;
    bool in_payload_ = false;
    bool in_message_ = false;  // more fragments must follow
    bool is_compressed_ = false;
};

}  // namespace weir::web::ws
