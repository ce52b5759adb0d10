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

/// Content that is compressed as the peer takes it. A helper does what takes long, while the loop serves
/// others. A source that pauses is flushed first, so that the peer gets all that there is.
class CompressedSource final : public http::Source {
   public:
    CompressedSource(std::shared_ptr<EncodingTask> task, std::shared_ptr<Helpers> helpers) noexcept
        : task_{std::move(task)}, helpers_{std::move(helpers)} {}
    ~CompressedSource() override { task_->abandon(); }

    /// Before the first pull(): what it compresses. `owner` keeps what the content borrows.
    void read(http::Response::Content content, std::shared_ptr<const void> owner) noexcept;

    Pulled pull(std::span<char> into) override;
    std::string_view trailers() const override {
        return source_ ? source_->trailers() : std::string_view{};
    }
    Instant due() const noexcept override;
    void done(http::Outcome outcome) noexcept override {
        if (source_) source_->done(outcome);
    }

   private:
    /// What the source has next.
    enum class Fed : std::uint8_t { more, paused, ended, failed };
    struct Meal {
        Fed fed;
        std::size_t size;
    };

    bool feed();
    Meal gather(std::span<char> room);
    Meal gather_once(std::span<char> room);
    bool encode();

    std::shared_ptr<EncodingTask> task_;
    std::shared_ptr<Helpers> helpers_;
    // Of what the task does not read itself:
    std::unique_ptr<http::Source> source_{};
    std::optional<Input> part_{};   // of a file that the source gave
    bool is_paused_ = false;        // the source, and the peer has been given all
    bool is_flushing_ = false;      // the source paused, and the peer gets what there is
    bool looks_again_ = false;      // as soon as the kernel has taken that
    Instant looks_for_it_ = never;  // while a helper has the task
};

}  // namespace weir::compress
