#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "client/asking.h"
#include "weir/web/content_decoding.h"

namespace weir::web::detail {

/// A response, from its head on.
class Received {
   public:
    /// `decoding`: null, or for the content. Throws std::bad_alloc.
    Received(std::unique_ptr<Asking> of, std::uint64_t collects_max,
             const ContentDecoding* decoding);

    const upstream::Answered& answer() const noexcept { return asking_->exchange().answer(); }
    const std::string& url() const noexcept { return url_; }
    std::uint64_t bytes_max() const noexcept { return bytes_max_; }
    std::string_view trailers() const noexcept;
    /// True if the field lines of the content's coding do not hold.
    bool is_decoded() const noexcept { return decoder_ != nullptr; }

    /// The piece that was taken may be gone.
    void ask_for_next() noexcept { piece_.clear(); }
    /// True if take() has something to say.
    bool has_next() noexcept;
    /// Empty at the end. Throws ClientError.
    std::string_view take();

   private:
    bool has_next_plain() noexcept;
    bool decode();

    const std::unique_ptr<Asking> asking_;
    const std::string url_;
    const std::uint64_t bytes_max_;                        // that all() collects
    std::unique_ptr<ContentDecoder> decoder_;              // null: the content is as it came
    std::string raw_;                                      // not decoded yet
    std::string_view left_;                                // of raw_
    std::string piece_;                                    // valid until the next one is asked for
    upstream::Failure failure_ = upstream::Failure::none;  // of the decoder
    bool has_more_ = false;                                // the decoder, without input
    bool is_whole_ = true;                                 // the decoder is at an end
};

}  // namespace weir::web::detail
