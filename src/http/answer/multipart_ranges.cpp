#include "http/answer/multipart_ranges.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace weir::http {

std::string content_range(ByteRange range, std::uint64_t size) {
    return "bytes " + std::to_string(range.first) + "-" +
           std::to_string(range.first + range.size - 1) + "/" + std::to_string(size);
}

MultipartRanges::MultipartRanges(Whole whole, std::span<const ByteRange> ranges)
    : whole_{std::move(whole)} {
    for (const ByteRange range : ranges) {
        std::string header = parts_.empty() ? "--" : "\r\n--";
        header.append(whole_.boundary).append("\r\nContent-Type: ").append(whole_.content_type);
        header.append("\r\nContent-Range: ").append(content_range(range, whole_.size));
        header.append("\r\n\r\n");
        parts_.push_back({std::move(header), range});
    }
    parts_.push_back({"\r\n--" + whole_.boundary + "--\r\n", {}});
    for (const Part& part : parts_) size_ += part.header.size() + part.range.size;
}

Source::Pulled MultipartRanges::pull(std::span<char> into) {
    if (part_ == parts_.size()) return End{};
    const Part& part = parts_[part_];
    const std::uint64_t header_size = part.header.size();

    if (given_ < header_size) return pull_bytes(std::string_view{part.header}.substr(given_), into);
    const ByteRange range = part.range;
    if (whole_.fd >= 0 && range.size > 0) {
        ++part_;
        given_ = 0;
        return File{{.fd = whole_.fd, .offset = range.first, .size = range.size}};
    }
    const std::uint64_t done = given_ - header_size;
    const std::uint64_t left = range.size - done;
    if (whole_.read)
        return pull_read(range.first + done,
                         into.first(std::min<std::uint64_t>(into.size(), left)));
    return pull_bytes(whole_.body.substr(range.first + done, left), into);
}

/// `bytes` is the rest of the header, or of the range in memory.
Source::Pulled MultipartRanges::pull_bytes(std::string_view bytes, std::span<char> into) {
    const std::size_t size = std::min(bytes.size(), into.size());
    std::memcpy(into.data(), bytes.data(), size);
    return given(size);
}

Source::Pulled MultipartRanges::pull_read(std::uint64_t offset, std::span<char> into) {
    const std::size_t size = whole_.read(offset, into);
    if (size == 0 || size > into.size()) return Failed{};
    return given(size);
}

Source::Pulled MultipartRanges::given(std::size_t size) {
    given_ += size;
    const Part& part = parts_[part_];
    const bool file_follows = whole_.fd >= 0 && part.range.size > 0;
    if (!file_follows && given_ == part.header.size() + part.range.size) {
        ++part_;
        given_ = 0;
    }
    return Ready{size};
}

}  // namespace weir::http
