#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "http/content/user_code.h"
#include "weir/http/response.h"

namespace weir::http {

/// The content of a response on its way out: bytes in memory, a part of a file, or the output of a
/// source. The protocol frames it.
class ContentOut {
   public:
    /// Takes over the content of the response and its owner. `announced` is the size that its
    /// source has told, if it was asked.
    explicit ContentOut(Response& response, std::optional<std::uint64_t> announced = std::nullopt);
    ~ContentOut() { done(Outcome::stopped); }
    ContentOut(const ContentOut&) = delete;
    ContentOut& operator=(const ContentOut&) = delete;

    bool has_source() const noexcept { return source_ != nullptr; }
    /// The first call, if there is a source. False if the source throws.
    bool ask_size(const UserCode& code) noexcept {
        return code.ask_size(*source_, announced_left_);
    }
    /// Of the whole content in bytes, if it is known.
    std::optional<std::uint64_t> size() const noexcept {
        return source_ != nullptr ? announced_left_ : at_hand();
    }
    /// Only the head is sent, as for HEAD.
    void leave_out() noexcept;

    // The content at hand: bytes, or a part of a file.
    std::string_view bytes() const noexcept { return bytes_; }
    const FileRange& file() const noexcept { return file_; }
    std::uint64_t at_hand() const noexcept { return bytes_.empty() ? file_.size : bytes_.size(); }
    /// `size` bytes of it were taken.
    void taken(std::uint64_t size) noexcept;

    /// Only trailers follow the content at hand.
    bool is_last() const noexcept { return source_ == nullptr || announced_left_ == 0; }
    /// Field lines after the end of the content; may be empty.
    std::string_view trailers() const {
        return source_ != nullptr ? source_->trailers() : std::string_view{};
    }
    /// The time at which the source wants to be asked again.
    Instant due() const noexcept { return source_ != nullptr ? source_->due() : never; }
    /// Null if the content is none.
    Tunnel* tunnel() const noexcept { return tunnel_; }
    /// The memory in bytes of content that the response or its source owns.
    std::size_t own_bytes() const noexcept;
    /// Tells the source that the server stops.
    void retire() noexcept {
        if (source_ != nullptr) source_->retire();
    }
    /// Gives the source the outcome, once.
    void done(Outcome outcome) noexcept;

   protected:
    /// Asks the source. Call it if nothing is at hand and is_last() is false. Afterwards a part of
    /// a file is at hand, or bytes are in `into`. A source that gives more than it has announced
    /// has failed, as the excess would be no part of the response; so has a source that gives less.
    Source::Pulled pull(const UserCode& code, std::span<char> into);
    void now_at_hand(std::string_view bytes) noexcept { bytes_ = bytes; }

   private:
    bool fits(std::uint64_t size) noexcept;

    Response::Content content_;
    std::shared_ptr<const void> owner_;
    std::string_view bytes_;
    FileRange file_;
    Source* source_ = nullptr;  // lives in content_; null after done()
    Tunnel* tunnel_ = nullptr;  // the same source
    std::optional<std::uint64_t> announced_left_;
};

}  // namespace weir::http
