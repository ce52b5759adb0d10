#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "site/answer/byte_ranges.h"
#include "weir/http/response.h"

namespace weir::site {

/// Several ranges of one representation as multipart/byteranges (RFC 9110 14.6). The parts' headers
/// are given as bytes, a file's ranges as stretches of the file.
class MultipartRanges final : public http::Source {
   public:
    /// What the ranges are of. `body` or `fd`, the other being empty or -1; both kept by `owner`.
    struct Whole {
        std::string_view body{};
        int fd = -1;
        std::uint64_t size = 0;
        std::string_view content_type{};
        std::shared_ptr<const void> owner{};
    };

    MultipartRanges(Whole whole, std::span<const ByteRange> ranges);

    std::string content_type() const { return "multipart/byteranges; boundary=" + boundary_; }

    Pulled pull(std::span<char> into) override;
    std::optional<std::uint64_t> size() const override { return size_; }

   private:
    struct Part {
        std::string header;  // boundary and fields; of the last "part" there is nothing else
        ByteRange range;
    };

    Pulled pull_bytes(std::string_view bytes, std::span<char> into);

    Whole whole_;
    std::string boundary_;
    std::vector<Part> parts_;
    std::uint64_t size_ = 0;
    std::size_t part_ = 0;     // the part under way
    std::uint64_t given_ = 0;  // how much of its header and its range
};

/// The value of Content-Range, "bytes 0-99/1234".
std::string content_range(ByteRange range, std::uint64_t size);

}  // namespace weir::site
