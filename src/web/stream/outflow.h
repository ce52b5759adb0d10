#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "weir/http/handler.h"
#include "weir/web/stream.h"

namespace weir::web::detail {

/// The pieces of an answer's content between those who give them, on any thread, and the source
/// that the connection pulls.
class Outflow {
   public:
    explicit Outflow(http::Waker waker) noexcept : waker_{std::move(waker)} {}

    const http::Waker& waker() const noexcept { return waker_; }
    std::stop_token stop_token() const noexcept { return stop_.get_token(); }

    // Any thread.

    void put(std::string&& data, std::unique_ptr<Done> done);
    void end() noexcept { finish(false); }
    /// Nobody can write any more. It counts as the end, or as a failure, if that was not said before.
    void abandon() noexcept;

    // The connection's thread.

    /// Its end is the coroutine's, wherever the Stream goes.
    void belong_to_coroutine();
    void put(std::string_view bytes, Write& by) { add({.bytes = bytes, .by = &by}); }
    /// Copies what there is. The number of bytes.
    std::size_t take(std::span<char> into);
    /// All bytes of some pieces were taken out, and nobody was told.
    bool has_taken() const noexcept { return taken_ != 0; }
    /// The kernel has all that was taken out: their writers are told.
    void note_sent();
    bool is_complete() const;
    bool has_failed() const;
    /// No call comes any more: the writers that are left are told so.
    void close(bool was_sent) noexcept;

   private:
    struct Piece {
        std::string own{};
        std::string_view bytes{};  // borrowed, or of `own`; what is left
        std::unique_ptr<Done> done{};
        Write* by = nullptr;
    };

    bool add(Piece&& piece);
    void finish(bool fails) noexcept;

    http::Waker waker_;
    std::stop_source stop_;
    mutable std::mutex mutex_;
    std::deque<Piece> pieces_;  // guarded by the mutex, as all that follows
    std::size_t taken_ = 0;     // so many of them, from the first
    bool has_ended_ = false;
    bool has_failed_ = false;
    bool is_coroutines_ = false;
    bool is_closed_ = false;
};

}  // namespace weir::web::detail
