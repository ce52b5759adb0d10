#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "weir/http/handler.h"
#include "weir/web/websocket.h"

namespace weir::web::detail {

/// The queue of messages that other threads send on a socket, or on a stream of events. A queue of
/// one message takes no memory of its own.
class Outbox {
   public:
    enum class Form : std::uint8_t {
        text,    // the payload of a frame (RFC 6455 5.6)
        binary,  // the same
        frame,   // a whole frame, with its head
        event,   // a rendered event (HTML Standard, 9.2)
    };
    struct Item {
        std::shared_ptr<const std::string> bytes{};  // null: no item, or no reason
        Form form = Form::text;
        bool is_published = false;
        CloseCode code = CloseCode::none;  // another value: close; `bytes` is the reason

        std::size_t size() const noexcept { return sizeof *this + bytes->size(); }
    };
    /// The result of publish().
    struct Receipt {
        bool is_queued = false;
        bool must_wake = false;  // the caller has to call wake()
    };

    /// `published`: the form of the messages that topics publish here. `compression`: of frames;
    /// null: none.
    Outbox(http::Waker waker, std::size_t bytes_max, Form published,
           std::shared_ptr<const MessageCompression> compression = nullptr) noexcept
        : waker_{std::move(waker)},
          bytes_max_{bytes_max},
          compression_{std::move(compression)},
          published_{published} {}

    // Any thread.

    /// False if the queue is full, or closed.
    bool put(std::shared_ptr<const std::string> message, MessageKind kind);
    void ask_to_close(CloseCode code, std::string_view reason);
    Form published_form() const noexcept { return published_; }
    const MessageCompression* compression() const noexcept { return compression_.get(); }
    /// Queues a message of a topic, and wakes nobody. If the queue is full, it closes with
    /// `when_full`; CloseCode::none: the oldest messages of topics are dropped.
    Receipt publish(std::shared_ptr<const std::string> bytes, CloseCode when_full) noexcept;
    void wake() const { waker_.wake(); }

    // The connection's thread.

    std::optional<Item> take();
    /// Refuses all later messages.
    void end() noexcept;
    /// The same. The messages in the queue are lost.
    void close() noexcept;

   private:
    bool is_empty() const noexcept { return first_.bytes == nullptr; }
    bool has_room(std::size_t size) const noexcept {
        return size <= bytes_max_ - std::min(bytes_, bytes_max_);
    }
    bool add(Item&& item);
    Receipt refuse(CloseCode when_full) noexcept;
    Item take_first() noexcept;
    bool drop_oldest_published() noexcept;
    bool close_with(CloseCode code, std::unique_ptr<const std::string> reason) noexcept;

    http::Waker waker_;
    std::size_t bytes_max_;
    const std::shared_ptr<const MessageCompression> compression_;
    std::mutex mutex_;
    const Form published_;                         // here it takes no memory of its own
    bool is_closed_ = false;                       // guarded by the mutex, as all that follows
    CloseCode close_code_ = CloseCode::none;       // another value: the receiver has to close
    std::unique_ptr<const std::string> reason_{};  // null: none
    Item first_{};                                 // without bytes: the queue is empty
    std::unique_ptr<std::deque<Item>> behind_{};   // null, or with one item at least
    std::size_t bytes_ = 0;
};

}  // namespace weir::web::detail
