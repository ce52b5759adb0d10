#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "compress/coding/encoder_pool.h"
#include "compress/stream/collecting.h"
#include "compress/stream/input.h"
#include "weir/http/handler.h"

namespace weir::compress {

/// A content that is being compressed. The thread of its connection and a helper have it in turn; only
/// the one that has it may call what is not said to be for both.
class EncodingTask {
   public:
    static constexpr std::size_t piece_bytes_max = 16 * 1024;
    /// What one task takes beside its encoder, about.
    static constexpr std::size_t own_bytes = 3 * piece_bytes_max;

    EncodingTask(EncoderPool::Lease lease, http::Waker waker,
                 std::optional<Collecting> collecting) noexcept
        : lease_{std::move(lease)}, waker_{std::move(waker)}, collecting_{std::move(collecting)} {}

    /// From now on it reads `content`, which is no source, by itself. `owner` keeps what that borrows.
    void read(http::Response::Content content, std::shared_ptr<const void> owner) noexcept;
    bool reads_itself() const noexcept { return reads_itself_; }

    // ---- for the connection's thread, while it has the task ----

    /// Where the next piece goes, and what to do with it: up to `flush`.
    std::span<char> room() noexcept { return in_; }
    void give(std::string_view piece, Flush flush) noexcept;
    void fail() noexcept { state_ = State::failed; }
    /// Moves compressed bytes to `into`; returns how many.
    std::size_t take(std::span<char> into) noexcept;
    /// It has all that it was given, and takes more.
    bool is_hungry() const noexcept {
        return piece_.empty() && flush_ == Flush::none && !has_more_;
    }
    /// The peer can read all that was given.
    bool is_flushed() const noexcept { return unflushed_ == 0; }
    /// So little that the connection's thread may do it.
    bool is_small() const noexcept { return !reads_itself_ && unflushed_ <= lease_.quick_bytes(); }
    bool has_ended() const noexcept { return state_ == State::ended; }
    bool has_failed() const noexcept { return state_ == State::failed; }

    // ---- for both ----

    /// Compresses until its output is full, it has nothing more to do, or others should have their turn.
    void work() noexcept;
    /// True while a helper has it.
    bool is_away() const noexcept { return is_away_.load(std::memory_order_acquire); }
    void send_away() noexcept { is_away_.store(true, std::memory_order_relaxed); }
    /// Tells the connection, too.
    void come_back() noexcept;
    /// Nobody wants it any more.
    void abandon() noexcept { is_abandoned_.store(true, std::memory_order_relaxed); }
    const http::Waker& waker() const noexcept { return waker_; }
    bool is_abandoned() const noexcept { return is_abandoned_.load(std::memory_order_relaxed); }

    /// The next one that waits for a helper.
    std::shared_ptr<EncodingTask> next{};

   private:
    enum class State : std::uint8_t { works, ended, failed };

    void read_piece() noexcept;
    void encode() noexcept;
    void collect(std::string_view bytes) noexcept;

    EncoderPool::Lease lease_;
    http::Waker waker_;
    std::optional<Collecting> collecting_;
    http::Response::Content content_{};
    std::shared_ptr<const void> owner_{};
    Input input_{};
    bool reads_itself_ = false;

    std::string_view piece_{};  // not encoded yet
    Flush flush_ = Flush::none;
    bool has_more_ = false;      // the encoder may, of what it has taken
    std::size_t unflushed_ = 0;  // bytes that the peer may not be able to read yet
    State state_ = State::works;

    std::atomic<bool> is_away_{false};
    std::atomic<bool> is_abandoned_{false};
    std::size_t out_begin_ = 0;
    std::size_t out_end_ = 0;
    std::array<char, piece_bytes_max> in_;
    std::array<char, 2 * piece_bytes_max> out_;
};

}  // namespace weir::compress
