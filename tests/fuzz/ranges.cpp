// Ranges are those of the plain model and lie within the content, and a multipart answer gives them
// byte for byte. The first line is the field, the second the content's size.

#include "http/answer/multipart_ranges.h"

#include <algorithm>

#include "base/random_boundary.h"
#include "fuzz/fuzz_input.h"
#include "fuzz/plain/ranges.h"

namespace weir::tests {
namespace {

using Kind = http::RequestedRanges::Kind;

std::string pulled(http::MultipartRanges& parts, std::size_t room_size) {
    std::string bytes, room(room_size, '\0');
    for (;;) {
        const auto step = parts.pull(room);
        const auto* const ready = std::get_if<http::Source::Ready>(&step);
        if (ready == nullptr) return bytes;
        require(ready->size > 0 && ready->size <= room.size());
        bytes.append(room, 0, ready->size);
    }
}

/// RFC 9110 14.6, as it is written there.
std::string multipart(const plain::Ranges& ranges, const std::string& content,
                      const std::string& boundary) {
    std::string text;
    for (const auto& [first, size] : ranges.stretches) {
        text += (text.empty() ? "--" : "\r\n--") + boundary + "\r\nContent-Type: text/plain\r\n";
        text += "Content-Range: bytes " + std::to_string(first) + "-" +
                std::to_string(first + size - 1) + "/" + std::to_string(content.size());
        text += "\r\n\r\n" + content.substr(first, size);
    }
    return text + "\r\n--" + boundary + "--\r\n";
}

void check_parts(const http::RequestedRanges& requested, const plain::Ranges& ranges,
                 std::uint64_t size, std::size_t room_size) {
    std::string content(size, '\0');
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>('a' + i % 26);
    http::MultipartRanges parts{{.body = content,
                                 .size = content.size(),
                                 .content_type = "text/plain",
                                 .boundary = random_boundary()},
                                requested.all()};
    const std::string type = parts.content_type();
    const std::string bytes = pulled(parts, room_size);
    require(parts.size() == bytes.size());
    require(bytes == multipart(ranges, content, type.substr(type.find('=') + 1)));
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string field{take_line(text)};
    const std::uint64_t size = std::strtoull(std::string{text.substr(0, 18)}.c_str(), nullptr, 10);
    const auto requested = http::requested_ranges(field, size);
    const plain::Ranges ranges = plain::read_ranges(field, size);
    require(static_cast<int>(requested.kind) == static_cast<int>(ranges.kind));
    if (requested.kind != Kind::satisfiable) return;
    require(std::ranges::equal(
        requested.all(), ranges.stretches, [&](const http::ByteRange& range, const auto& stretch) {
            require(range.size > 0 && range.first < size);
            require(range.size <= size - range.first);
            return range.first == stretch.first && range.size == stretch.second;
        }));
    if (size <= 4096) check_parts(requested, ranges, size, 1 + input.choice % 32);
}

}  // namespace weir::tests
