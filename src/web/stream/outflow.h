#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "web/stream/outbox.h"
#include "weir/http/handler.h"
#include "weir/web/stream.h"

namespace weir::web::detail {

/// The pieces of a response's content, between their writers on any thread and the source that the
/// connection pulls.
class Outflow {
   public:
    /// `queue_bytes_max` is the limit of outbox().
    explicit Outflow(http::Waker waker, std::size_t queue_bytes_max = 0)
        : waker_{std::move(waker)}, queue_bytes_max_{queue_bytes_max} {}

    const http::Waker& waker() const noexcept { return waker_; }
    std::stop_token stop_token() const noexcept { return stop_.get_token(); }

    // Any thread.

    void put(std::string&& data, std::unique_ptr<Done> done);
    void end() noexcept { finish(false); }
    /// Called when no writer is left. If end() was not called before, the content has failed.
    void abandon() noexcept;
    /// The queue of the events that topics publish. They are sent while no other piece waits.
    std::shared_ptr<Outbox> outbox();
    /// See Stream::stopping_token().
    std::stop_token stopping_token();

    // The connection's thread.

    /// Makes the end of the coroutine the end of the content, wherever the Stream is moved.
    void belong_to_coroutine();
    void put(std::string_view bytes, Write& by) { add({.bytes = bytes, .by = &by}); }
    /// Called when the coroutine waits for `by` no longer. A piece of which bytes were taken is
    /// completed from a copy: the content must not have a hole.
    void withdraw(const Write& by) noexcept;
    void note_retired() noexcept;
    /// True if the server stops.
    bool is_retired() const noexcept { return is_retired_; }
    /// Copies the bytes that are there, and returns their number.
    std::size_t take(std::span<char> into);
    /// True if all bytes of some pieces were taken out, but their writers do not know it yet.
    bool has_taken() const noexcept { return taken_ != 0; }
    /// Called when the kernel has all bytes that were taken out: notifies their writers.
    void note_sent();
    /// True if there are bytes that were not taken.
    bool has_pieces() const;
    bool is_complete() const;
    bool has_failed() const;
    /// The last call: notifies the remaining writers.
    void close(bool was_sent) noexcept;

   private:
    struct Piece {
        std::string own{};
        std::string_view bytes{};  // borrowed, or of `own`; without those that were taken
        std::unique_ptr<Done> done{};
        Write* by = nullptr;
    };

    /// The events of topics.
    struct Published {
        Published(const http::Waker& waker, std::size_t bytes_max) noexcept
            : outbox{waker, bytes_max, Outbox::Form::event} {}

        Outbox outbox;
        std::shared_ptr<const std::string> event{};  // under way; null: none
        std::string_view left{};                     // of the event
    };

    bool add(Piece&& piece);
    void finish(bool fails) noexcept;
    void note_end(bool fails) noexcept;
    std::size_t take_pieces(std::span<char> into) noexcept;
    std::size_t take_published(std::span<char> into);
    bool next_published();

    http::Waker waker_;
    const std::size_t queue_bytes_max_;
    std::stop_source stop_;
    mutable std::mutex mutex_;
    bool is_retired_ = false;   // only the connection's thread writes it, with the mutex
    std::deque<Piece> pieces_;  // guarded by the mutex, as all that follows
    std::shared_ptr<Published> published_;         // null before outbox() was called
    std::stop_source stopping_{std::nostopstate};  // made by stopping_token()
    std::size_t taken_ = 0;  // number of pieces, from the first, whose bytes were taken
    bool has_ended_ = false;
    bool has_failed_ = false;
    bool is_coroutines_ = false;
    bool is_closed_ = false;
};

}  // namespace weir::web::detail
