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
    : whole_{std::move(whole)}, ranges_{ranges.begin(), ranges.end()} {
    for (std::size_t part = 0; part <= ranges_.size(); ++part)
        size_ += header_of(part).size() + range_of(part).size;
    begin(0);
}

ByteRange MultipartRanges::range_of(std::size_t part) const noexcept {
    return part < ranges_.size() ? ranges_[part] : ByteRange{};
}

std::string MultipartRanges::header_of(std::size_t part) const {
    std::string header = part == 0 ? "--" : "\r\n--";
    header.append(whole_.boundary);
    if (part == ranges_.size()) return header += "--\r\n";
    header.append("\r\nContent-Type: ").append(whole_.content_type);
    header.append("\r\nContent-Range: ").append(content_range(ranges_[part], whole_.size));
    return header += "\r\n\r\n";
}

void MultipartRanges::begin(std::size_t part) {
    part_ = part;
    given_ = 0;
    if (part <= ranges_.size()) header_ = header_of(part);
}

Source::Pulled MultipartRanges::pull(std::span<char> into) {
    if (part_ > ranges_.size()) return End{};
    const std::uint64_t header_size = header_.size();

    if (given_ < header_size) return pull_bytes(std::string_view{header_}.substr(given_), into);
    const ByteRange range = range_of(part_);
    if (whole_.fd >= 0 && range.size > 0) {
        begin(part_ + 1);
        return File{{.fd = whole_.fd, .offset = range.first, .size = range.size}};
    }
    const std::uint64_t done = given_ - header_size;
    const std::uint64_t left = range.size - done;
    if (whole_.read)
        return pull_read(range.first + done,
                         into.first(std::min<std::uint64_t>(into.size(), left)));
    return pull_bytes(whole_.body.substr(range.first + done, left), into);
}

/// `bytes` are the remaining bytes of the header, or of the range in memory.
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
    const ByteRange range = range_of(part_);
    const bool file_follows = whole_.fd >= 0 && range.size > 0;
    if (!file_follows && given_ == header_.size() + range.size) begin(part_ + 1);
    return Ready{size};
}

}  // namespace weir::http
