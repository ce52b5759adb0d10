#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace weir::compress {

/// The media types to compress; see Options::types.
class MediaTypeList {
   public:
    /// The error is one sentence.
    static std::expected<MediaTypeList, std::string> from(std::vector<std::string> patterns);

    /// `content_type` may have parameters.
    bool has(std::string_view content_type) const noexcept;

   private:
    std::vector<std::string> patterns_;
};

}  // namespace weir::compress
