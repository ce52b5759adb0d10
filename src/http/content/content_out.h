#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "http/content/user_code.h"
#include "weir/http/response.h"

namespace weir::http {

/// The content of an answer on its way out: bytes in memory, a part of a file, or what a source
/// gives. How it is framed is the protocol's.
class ContentOut {
   public:
    /// Takes over the response. `announced` is the size that its source has told, if it was asked.
    explicit ContentOut(Response&& response, std::optional<std::uint64_t> announced = std::nullopt);
    ~ContentOut() { done(Outcome::stopped); }
    ContentOut(const ContentOut&) = delete;
    ContentOut& operator=(const ContentOut&) = delete;

    const Response& response() const noexcept { return response_; }
    bool has_source() const noexcept { return source_ != nullptr; }
    /// First of all, if it has a source. False where that throws.
    bool ask_size(const UserCode& code) noexcept {
        return code.ask_size(*source_, announced_left_);
    }
    /// Of all of it, where that is known.
    std::optional<std::uint64_t> size() const noexcept {
        return source_ != nullptr ? announced_left_ : at_hand();
    }
    /// Only the head is sent, as for HEAD.
    void leave_out() noexcept;

    // What is at hand: bytes, or a part of a file.
    std::string_view bytes() const noexcept { return bytes_; }
    const FileRange& file() const noexcept { return file_; }
    std::uint64_t at_hand() const noexcept { return bytes_.empty() ? file_.size : bytes_.size(); }
    /// So much of it was taken.
    void taken(std::uint64_t size) noexcept;

    /// Nothing comes behind what is at hand, but trailers.
    bool is_last() const noexcept { return source_ == nullptr || announced_left_ == 0; }
    /// At the end: lines, or nothing.
    std::string_view trailers() const {
        return source_ != nullptr ? source_->trailers() : std::string_view{};
    }
    /// When the source wants to be asked again.
    Instant due() const noexcept { return source_ != nullptr ? source_->due() : never; }
    /// Null if it is none.
    Tunnel* tunnel() const noexcept { return tunnel_; }
    /// The memory of content that the response owns, or its tunnel.
    std::size_t own_bytes() const noexcept;
    /// Tells the source, once.
    void done(Outcome outcome) noexcept;

   protected:
    /// Asks the source, where nothing is at hand. A part of a file is at hand then, bytes are in
    /// `into`. It has failed if it gives more than it has announced, or less: what is too much would
    /// be no part of the answer.
    Source::Pulled pull(const UserCode& code, std::span<char> into);
    void now_at_hand(std::string_view bytes) noexcept { bytes_ = bytes; }

   private:
    bool fits(std::uint64_t size) noexcept;

    Response response_;
    std::string_view bytes_;
    FileRange file_;
    Source* source_ = nullptr;  // lives in response_; null once it was told the end
    Tunnel* tunnel_ = nullptr;  // the same source
    std::optional<std::uint64_t> announced_left_;
};

}  // namespace weir::http
