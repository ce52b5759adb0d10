#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "http/answer/output_buffer.h"
#include "http/content/user_code.h"
#include "http/request_slot.h"
#include "weir/http/response.h"

namespace weir::http::http2 {

/// The content of one answer, given out frame by frame as its stream has its turn.
class Content {
   public:
    enum class State : std::uint8_t { ready, not_ready, at_end, failed };

    explicit Content(Response&& response);
    ~Content() { done(Outcome::stopped); }
    Content(const Content&) = delete;
    Content& operator=(const Content&) = delete;

    const Response& response() const noexcept { return response_; }
    bool has_source() const noexcept { return source_ != nullptr; }
    /// First of all, if it has a source. False where that throws.
    bool ask_size(const UserCode& code) noexcept {
        return code.ask_size(*source_, announced_left_);
    }
    /// Of all of it, where that is known.
    std::optional<std::uint64_t> size() const;
    /// Null if it is none.
    Tunnel* tunnel() const noexcept { return tunnel_; }
    /// Only the head is sent, as for HEAD.
    void leave_out() noexcept;

    /// Whether there is something to take; asks the source where nothing is at hand. If that throws,
    /// `failures` is told, with the request.
    State prepare(FailureObserver* failures, const RequestSlot& slot);
    /// At `ready`: how much is at hand.
    std::uint64_t at_hand() const noexcept;
    /// A file is next, and no bytes.
    bool is_file() const noexcept { return bytes_.empty() && file_.size != 0; }
    /// At `ready`: copies the next `size` bytes. Not of a file.
    void take(std::size_t size, char* to) noexcept;
    FileRange take_file(std::uint64_t size) noexcept;
    /// Nothing comes after what is at hand. Where that is not known, `at_end` tells it later.
    bool ends_with(std::uint64_t size) const {
        if (size != at_hand()) return false;
        return source_ == nullptr || (announced_left_ == 0 && source_->trailers().empty());
    }
    /// At the end: lines, or nothing.
    std::string_view trailers() const;

    /// When the source wants to be asked again.
    Instant due() const noexcept { return source_ != nullptr ? source_->due() : never; }
    /// The source may go on.
    void wake() noexcept { waits_for_wake_ = false; }
    bool waits_for_wake() const noexcept { return waits_for_wake_; }
    /// Tells the source, once.
    void done(Outcome outcome) noexcept;
    /// The memory of content that the response or this owns.
    std::size_t own_bytes() const noexcept;

   private:
    State pull(const UserCode& code);
    bool fits(std::uint64_t size) noexcept;

    Response response_;
    std::string_view bytes_;  // at hand: in the response, or in pulled_
    FileRange file_;
    Source* source_ = nullptr;  // lives in response_
    Tunnel* tunnel_ = nullptr;  // the same
    std::unique_ptr<char[]> pulled_;
    std::optional<std::uint64_t> announced_left_;  // of a source with a known size
    bool waits_for_wake_ = false;
    bool told_ = false;
};

}  // namespace weir::http::http2
