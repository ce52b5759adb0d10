#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/content/user_code.h"
#include "weir/http/response.h"
#include "weir/http/tunnel.h"

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

    bool has_source() const noexcept { return has_source_; }
    /// The first call, if there is a source. False if the source throws.
    bool ask_size(const UserCode& code) noexcept;
    /// Of the whole content in bytes, if it is known.
    std::optional<std::uint64_t> size() const noexcept {
        if (!has_source_) return at_hand_;
        return announced_left_ != unknown ? std::optional{announced_left_} : std::nullopt;
    }
    /// Only the head is sent, as for HEAD.
    void leave_out() noexcept;

    // The content at hand: bytes, or a part of a file.
    std::string_view bytes() const noexcept {
        return is_file_ ? std::string_view{} : std::string_view{place_.data, at_hand_};
    }
    FileRange file() const noexcept {
        return is_file_ ? FileRange{fd_, place_.offset, at_hand_} : FileRange{};
    }
    std::uint64_t at_hand() const noexcept { return at_hand_; }
    /// `size` bytes of it were taken.
    void taken(std::uint64_t size) noexcept;

    /// Only trailers follow the content at hand.
    bool is_last() const noexcept { return !has_source_ || announced_left_ == 0; }
    /// Field lines after the end of the content; may be empty.
    std::string_view trailers() const {
        return has_source_ ? source_->trailers() : std::string_view{};
    }
    /// The time at which the source wants to be asked again.
    Instant due() const noexcept { return has_source_ ? source_->due() : never; }
    /// Null if the content is none.
    Tunnel* tunnel() const noexcept {
        return is_tunnel_ ? static_cast<Tunnel*>(source_.get()) : nullptr;
    }
    /// The memory in bytes of content that the response or its source owns.
    std::size_t own_bytes() const noexcept;
    /// Tells the source that the server stops.
    void retire() noexcept {
        if (has_source_) source_->retire();
    }
    bool ends_with_peer() const noexcept { return has_source_ && source_->ends_with_peer(); }
    /// Gives the source the outcome, once.
    void done(Outcome outcome) noexcept;

   protected:
    /// Asks the source. Call it if nothing is at hand and is_last() is false. Afterwards a part of
    /// a file is at hand, or bytes are in `into`. A source that gives more than it has announced
    /// has failed, as the excess would be no part of the response; so has a source that gives less.
    Source::Pulled pull(const UserCode& code, std::span<char> into);
    void now_at_hand(std::string_view bytes) noexcept {
        is_file_ = false;
        place_.data = bytes.data();
        at_hand_ = bytes.size();
    }
    /// Text that a source needs. Content without a source has its own bytes in the same place.
    std::string& text_of_source() noexcept { return text_; }

   private:
    static constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

    void now_at_hand(const FileRange& range) noexcept {
        is_file_ = true;
        fd_ = range.fd;
        place_.offset = range.offset;
        at_hand_ = range.size;
    }
    bool fits(std::uint64_t size) noexcept;

    std::unique_ptr<Source> source_{};  // may own what is at hand, also after done()
    std::shared_ptr<const void> owner_;
    std::string text_{};
    std::uint64_t announced_left_;
    union {
        const char* data = nullptr;
        std::uint64_t offset;  // of a file
    } place_;
    std::uint64_t at_hand_ = 0;
    int fd_ = -1;
    bool is_file_ = false;     // a file is at hand, and no bytes
    bool has_source_ = false;  // and no outcome yet
    bool is_tunnel_ = false;
};

}  // namespace weir::http
