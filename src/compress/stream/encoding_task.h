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

/// A content that is being compressed. The thread of its connection and a helper thread own the
/// task in turn. Only the present owner may call its functions, except those that are for both.
class EncodingTask {
   public:
    static constexpr std::size_t piece_bytes_max = 16 * 1024;
    /// The approximate memory of one task, without its encoder, in bytes.
    static constexpr std::size_t own_bytes = 3 * piece_bytes_max;

    EncodingTask(EncoderPool::Lease lease, http::Waker waker,
                 std::optional<Collecting> collecting) noexcept
        : lease_{std::move(lease)}, waker_{std::move(waker)}, collecting_{std::move(collecting)} {}

    /// Makes the task read `content`, which is not a source, by itself. `owner` keeps the memory
    /// that the content borrows.
    void read(http::Response::Content content, std::shared_ptr<const void> owner) noexcept;
    bool reads_itself() const noexcept { return reads_itself_; }

    // ---- for the connection's thread, while it owns the task ----

    /// room() is the buffer for the next piece; give() names the piece in it, and the required
    /// output.
    std::span<char> room() noexcept { return in_; }
    void give(std::string_view piece, Flush flush) noexcept;
    void fail() noexcept { state_ = State::failed; }
    /// Moves compressed bytes to `into`, and returns their number.
    std::size_t take(std::span<char> into) noexcept;
    /// The task has encoded all its input, and takes more.
    bool is_hungry() const noexcept {
        return piece_.empty() && flush_ == Flush::none && !has_more_;
    }
    /// The peer can read all input so far.
    bool is_flushed() const noexcept { return unflushed_ == 0; }
    /// True if the work is so small that the connection's thread may do it.
    bool is_small() const noexcept { return !reads_itself_ && unflushed_ <= lease_.quick_bytes(); }
    bool has_ended() const noexcept { return state_ == State::ended; }
    bool has_failed() const noexcept { return state_ == State::failed; }

    // ---- for both ----

    /// Compresses until the output is full, the input is used up, or other tasks should have their
    /// turn.
    void work() noexcept;
    /// True while a helper owns the task.
    bool is_away() const noexcept { return is_away_.load(std::memory_order_acquire); }
    void send_away() noexcept { is_away_.store(true, std::memory_order_relaxed); }
    /// Returns the task to the connection, and wakes it.
    void come_back() noexcept;
    /// Marks the task as useless: the connection is gone.
    void abandon() noexcept { is_abandoned_.store(true, std::memory_order_relaxed); }
    const http::Waker& waker() const noexcept { return waker_; }
    bool is_abandoned() const noexcept { return is_abandoned_.load(std::memory_order_relaxed); }

    /// The next task in the queue for helpers.
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

    std::string_view piece_{};  // the input that is not encoded yet
    Flush flush_ = Flush::none;
    bool has_more_ = false;      // the encoder may have more output of the input that it has taken
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
