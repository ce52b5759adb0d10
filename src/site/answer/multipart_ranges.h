#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/answer/byte_ranges.h"
#include "weir/http/response.h"

namespace weir::site {

/// Gives several ranges of one representation as multipart/byteranges (RFC 9110 14.6): the headers
/// of the parts as bytes, the ranges of a file as parts of the file.
class MultipartRanges final : public http::Source {
   public:
    /// The representation: `body` (`fd` is -1) or `fd` (`body` is empty). `owner` keeps both.
    struct Whole {
        std::string_view body{};
        int fd = -1;
        std::uint64_t size = 0;
        std::string_view content_type{};
        std::shared_ptr<const void> owner{};
    };

    MultipartRanges(Whole whole, std::span<const http::ByteRange> ranges);

    std::string content_type() const { return "multipart/byteranges; boundary=" + boundary_; }

    Pulled pull(std::span<char> into) override;
    std::optional<std::uint64_t> size() const override { return size_; }

   private:
    struct Part {
        std::string header;  // boundary and fields; the last "part" is the closing boundary alone
        http::ByteRange range;
    };

    Pulled pull_bytes(std::string_view bytes, std::span<char> into);

    Whole whole_;
    std::string boundary_;
    std::vector<Part> parts_;
    std::uint64_t size_ = 0;
    std::size_t part_ = 0;     // the current part
    std::uint64_t given_ = 0;  // bytes already given of its header and range
};

/// The value of Content-Range, "bytes 0-99/1234".
std::string content_range(http::ByteRange range, std::uint64_t size);

}  // namespace weir::site
