#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/answer/byte_ranges.h"
#include "weir/http/response.h"

namespace weir::http {

/// Gives several ranges of one representation as multipart/byteranges (RFC 9110 14.6). The headers
/// of the parts come as bytes, the ranges of a file as Source::File.
class MultipartRanges final : public Source {
   public:
    /// The representation: one of `body`, `fd` and `read`. `owner` keeps the body or the descriptor
    /// alive.
    struct Whole {
        std::string_view body{};
        int fd = -1;
        /// Copies at least one byte from `offset` on, and returns how many; 0: failed.
        std::function<std::size_t(std::uint64_t offset, std::span<char> into)> read{};
        std::uint64_t size = 0;
        std::string content_type{};
        std::string boundary{};  // see base/random_boundary.h
        std::shared_ptr<const void> owner{};
    };

    MultipartRanges(Whole whole, std::span<const ByteRange> ranges);

    std::string content_type() const { return "multipart/byteranges; boundary=" + whole_.boundary; }

    Pulled pull(std::span<char> into) override;
    std::optional<std::uint64_t> size() const override { return size_; }

   private:
    Pulled pull_bytes(std::string_view bytes, std::span<char> into);
    Pulled pull_read(std::uint64_t offset, std::span<char> into);
    Pulled given(std::size_t size);

    /// The last "part" is the closing boundary alone, and its range is empty.
    ByteRange range_of(std::size_t part) const noexcept;
    /// The boundary and the fields of a part.
    std::string header_of(std::size_t part) const;
    void begin(std::size_t part);

    Whole whole_;
    std::vector<ByteRange> ranges_;
    std::uint64_t size_ = 0;
    std::size_t part_ = 0;     // the current part
    std::string header_;       // of the current part alone: 256 headers would take some 40 KB
    std::uint64_t given_ = 0;  // bytes already given of the current part's header and range
};

/// The value of Content-Range, "bytes 0-99/1234".
std::string content_range(ByteRange range, std::uint64_t size);

}  // namespace weir::http
