#include "site/answer/multipart_ranges.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

#include "base/hexadecimal.h"

namespace weir::site {

namespace {

/// The boundary must not occur in the content. Nobody can guess 128 random bits, so the content
/// need not be searched.
std::string random_boundary() {
    std::random_device random;
    std::string boundary;
    for (int word = 0; word < 4; ++word)
        for (unsigned bits = random(), digit = 0; digit < 8; ++digit, bits >>= 4u)
            boundary += hex_digits[bits & 0xfu];
    return boundary;
}

}  // namespace

std::string content_range(http::ByteRange range, std::uint64_t size) {
    return "bytes " + std::to_string(range.first) + "-" +
           std::to_string(range.first + range.size - 1) + "/" + std::to_string(size);
}

MultipartRanges::MultipartRanges(Whole whole, std::span<const http::ByteRange> ranges)
    : whole_{std::move(whole)}, boundary_{random_boundary()} {
    for (const http::ByteRange range : ranges) {
        std::string header = parts_.empty() ? "--" : "\r\n--";
        header.append(boundary_).append("\r\nContent-Type: ").append(whole_.content_type);
        header.append("\r\nContent-Range: ").append(content_range(range, whole_.size));
        header.append("\r\n\r\n");
        parts_.push_back({std::move(header), range});
    }
    parts_.push_back({"\r\n--" + boundary_ + "--\r\n", {}});
    for (const Part& part : parts_) size_ += part.header.size() + part.range.size;
}

http::Source::Pulled MultipartRanges::pull(std::span<char> into) {
    if (part_ == parts_.size()) return End{};
    const Part& part = parts_[part_];
    const std::uint64_t header_size = part.header.size();

    if (given_ < header_size) return pull_bytes(std::string_view{part.header}.substr(given_), into);
    const http::ByteRange range = part.range;
    if (whole_.fd >= 0 && range.size > 0) {
        ++part_;
        given_ = 0;
        return File{{.fd = whole_.fd, .offset = range.first, .size = range.size}};
    }
    const std::uint64_t done = given_ - header_size;
    return pull_bytes(whole_.body.substr(range.first + done, range.size - done), into);
}

/// `bytes` is the rest of the header, or of the range in memory.
http::Source::Pulled MultipartRanges::pull_bytes(std::string_view bytes, std::span<char> into) {
    const std::size_t size = std::min(bytes.size(), into.size());
    std::memcpy(into.data(), bytes.data(), size);
    given_ += size;
    const Part& part = parts_[part_];
    const bool file_follows = whole_.fd >= 0 && part.range.size > 0;
    if (!file_follows && given_ == part.header.size() + part.range.size) {
        ++part_;
        given_ = 0;
    }
    return Ready{size};
}

}  // namespace weir::site
