#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "weir/http/handler.h"
#include "weir/web/websocket.h"

namespace weir::web::detail {

/// The queue of messages that other threads send on a socket.
class Outbox {
   public:
    struct Item {
        std::shared_ptr<const std::string> message;  // or the reason to close
        MessageKind kind = MessageKind::text;
        CloseCode code = CloseCode::none;  // another value: the socket has to close

        std::size_t bytes() const noexcept { return sizeof *this + message->size(); }
    };

    Outbox(http::Waker waker, std::size_t bytes_max) noexcept
        : waker_{std::move(waker)}, bytes_max_{bytes_max} {}

    // Any thread.

    /// False if the queue is full, or the socket closes.
    bool put(std::shared_ptr<const std::string> message, MessageKind kind);
    void ask_to_close(CloseCode code, std::string_view reason);

    // The connection's thread.

    std::optional<Item> take();
    /// Refuses all later messages.
    void close() noexcept;

   private:
    bool add(Item&& item, bool is_last);

    http::Waker waker_;
    std::size_t bytes_max_;
    std::mutex mutex_;
    std::deque<Item> items_;  // guarded by the mutex, as all that follows
    std::size_t bytes_ = 0;
    bool is_closed_ = false;
};

}  // namespace weir::web::detail
