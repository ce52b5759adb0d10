#include "live/appended.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace weir::live {
namespace {

/// A source or a file, followed by a text.
class AppendedSource final : public http::Source {
   public:
    AppendedSource(std::unique_ptr<http::Source> of, std::string text)
        : of_{std::move(of)}, text_{std::move(text)} {}
    AppendedSource(const http::FileRange& file, std::string text)
        : file_{file}, text_{std::move(text)} {}

    Pulled pull(std::span<char> into) override {
        if (file_.size > 0) return File{std::exchange(file_, {})};
        if (of_ && !has_ended_) {
            Pulled pulled = of_->pull(into);
            if (!std::holds_alternative<End>(pulled)) return pulled;
            has_ended_ = true;
        }
        const std::size_t size = text_.copy(into.data(), into.size(), given_);
        given_ += size;
        if (size == 0) return End{};
        return Ready{size};
    }
    std::optional<std::uint64_t> size() const override {
        const auto before = of_ ? of_->size() : file_.size;
        if (!before) return std::nullopt;
        return *before + text_.size();
    }
    std::string_view trailers() const override { return of_ ? of_->trailers() : ""; }
    Instant due() const noexcept override { return of_ && !has_ended_ ? of_->due() : never; }
    std::size_t bytes() const noexcept override {
        return text_.capacity() + (of_ ? of_->bytes() : 0);
    }
    void retire() noexcept override {
        if (of_) of_->retire();
    }
    bool ends_with_peer() const noexcept override { return of_ && of_->ends_with_peer(); }
    void done(http::Outcome outcome) noexcept override {
        if (of_) of_->done(outcome);
    }

   private:
    const std::unique_ptr<http::Source> of_;  // null: `file_`
    http::FileRange file_{};
    const std::string text_;
    std::size_t given_ = 0;  // of the text
    bool has_ended_ = false;
};

}  // namespace

http::Response::Content appended(http::Response::Content content, std::string text) {
    if (auto* const source = std::get_if<std::unique_ptr<http::Source>>(&content))
        return std::make_unique<AppendedSource>(std::move(*source), std::move(text));
    if (const auto* const file = std::get_if<http::FileRange>(&content))
        return std::make_unique<AppendedSource>(*file, std::move(text));
    std::string whole;
    if (const auto* const view = std::get_if<std::string_view>(&content)) whole = *view;
    if (auto* const own = std::get_if<std::string>(&content)) whole = std::move(*own);
    return whole += text;
}

}  // namespace weir::live
