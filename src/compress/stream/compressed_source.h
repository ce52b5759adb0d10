#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "compress/stream/encoding_task.h"
#include "compress/stream/helpers.h"
#include "weir/http/response.h"

namespace weir::compress {

/// Content that is compressed as the peer takes it. A helper thread does long work, while the loop
/// serves other connections. If the source pauses, the encoder is flushed first, so that the peer
/// gets all the content so far.
class CompressedSource final : public http::Source {
   public:
    CompressedSource(std::shared_ptr<EncodingTask> task, std::shared_ptr<Helpers> helpers) noexcept
        : task_{std::move(task)}, helpers_{std::move(helpers)} {}
    ~CompressedSource() override { task_->abandon(); }

    /// Sets the content to compress. To call before the first pull(). `owner` keeps the memory that
    /// the content borrows.
    void read(http::Response::Content content, std::shared_ptr<const void> owner) noexcept;

    Pulled pull(std::span<char> into) override;
    std::string_view trailers() const override {
        return source_ ? source_->trailers() : std::string_view{};
    }
    Instant due() const noexcept override;
    /// Without the encoder, for which the options have a limit.
    std::size_t bytes() const noexcept override { return source_ ? source_->bytes() : 0; }
    void retire() noexcept override {
        if (source_) source_->retire();
    }
    bool ends_with_peer() const noexcept override { return source_ && source_->ends_with_peer(); }
    void done(http::Outcome outcome) noexcept override {
        if (source_) source_->done(outcome);
    }

   private:
    /// The state of the source after a pull.
    enum class Fed : std::uint8_t { more, paused, ended, failed };
    struct Meal {
        Fed fed;
        std::size_t size;
    };

    bool feed();
    Meal gather(std::span<char> room);
    Meal gather_once(std::span<char> room);
    bool count(std::uint64_t size) noexcept;
    bool encode();

    std::shared_ptr<EncodingTask> task_;
    std::shared_ptr<Helpers> helpers_;
    // Content that the task does not read itself:
    std::unique_ptr<http::Source> source_{};
    std::optional<Input> part_{};          // a file range that the source gave
    std::optional<std::uint64_t> left_{};  // of the size that the source has announced
    bool was_asked_ = false;               // for that size
    bool is_paused_ = false;               // the source has paused, and the peer has got all output
    bool is_flushing_ = false;      // the source has paused, and the peer gets the output so far
    bool looks_again_ = false;      // pull() again as soon as the kernel has taken the output
    Instant looks_for_it_ = never;  // the next look at the task while a helper has it
};

}  // namespace weir::compress
