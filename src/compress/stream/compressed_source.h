#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "compress/coding/encoder_pool.h"
#include "compress/stream/collecting.h"
#include "compress/stream/input.h"
#include "weir/http/handler.h"

namespace weir::compress {

/// What is compressed between two looks of an event loop at its other connections: a millisecond or two.
inline constexpr std::size_t slice_bytes = 32 * 1024;

/// Content that is compressed as the peer takes it. After each slice it says that it is not ready, and
/// wakes itself: the loop comes back to it after the others. A source that pauses is flushed first, so
/// that the peer gets all that there is.
class CompressedSource final : public http::Source {
   public:
    CompressedSource(EncoderPool::Lease lease, http::Waker waker,
                     std::optional<Collecting> collecting) noexcept
        : lease_{std::move(lease)}, waker_{std::move(waker)}, collecting_{std::move(collecting)} {}

    /// Before the first pull(): what it compresses.
    void read(Input input) noexcept { input_ = std::move(input); }

    Pulled pull(std::span<char> into) override;
    std::string_view trailers() const override {
        return input_.source() != nullptr ? input_.source()->trailers() : std::string_view{};
    }
    Instant due() const noexcept override {
        return input_pauses_ && input_.source() != nullptr ? input_.source()->due() : never;
    }
    void done(http::Outcome outcome) noexcept override {
        if (input_.source() != nullptr) input_.source()->done(outcome);
    }

   private:
    enum class Going : std::uint8_t { on, pauses, rests, ended, failed };

    Going encode(std::span<char> into, std::size_t& given);
    Going advance();
    void collect(std::string_view bytes, bool is_last) noexcept;
    Pulled after(Going going, std::size_t given);

    Input input_;
    EncoderPool::Lease lease_;
    http::Waker waker_;
    std::optional<Collecting> collecting_;
    std::string_view piece_{};  // of the input, not encoded yet
    std::size_t slice_left_ = slice_bytes;
    Flush flush_ = Flush::none;
    bool is_flushed_ = true;  // the peer can read all that was encoded
    bool has_more_ = false;   // the encoder may, of what it has taken
    bool input_pauses_ = false;
    Going next_ = Going::on;  // what the next pull() returns, behind what was ready
};

}  // namespace weir::compress
