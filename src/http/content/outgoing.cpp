#include "http/content/outgoing.h"

#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/hexadecimal.h"

namespace weir::http {

namespace {

/// The most that one pull() writes: enough for an efficient send, and little enough that a slow
/// peer does not tie up much memory.
constexpr std::size_t pull_bytes_max = 32 * 1024;
/// The size line is written after the data, so its size must be fixed: "7fff\r\n". Leading zeros
/// are allowed (RFC 9112 7.1, 1*HEXDIG).
constexpr std::size_t size_line_bytes = 6;

void write_size_line(char* at, std::size_t size) {
    for (int shift = 12; shift >= 0; shift -= 4) *at++ = hex_digits[(size >> shift) & 0xf];
    *at++ = '\r';
    *at = '\n';
}

}  // namespace

Outgoing::Pull Outgoing::pull(OutputBuffer& output, FailureObserver* failures) {
    if (has_failed_) return Pull::failed;
    if (!has_source() || ended_) return Pull::finished;
    if (is_last()) return end(output);
    // Reserve space before the data for the CRLF of the previous chunk and this chunk's size line.
    char* const room = output.room(pull_bytes_max + 2 + size_line_bytes + 2);
    const auto pulled = ContentOut::pull({failures, text_of_source()},
                                         {room + 2 + size_line_bytes, pull_bytes_max});
    if (std::holds_alternative<Source::NotReady>(pulled)) return Pull::not_ready;
    if (std::holds_alternative<Source::End>(pulled)) return end(output);
    has_failed_ = std::holds_alternative<Source::Failed>(pulled);
    if (has_failed_) return Pull::failed;
    if (const auto* ready = std::get_if<Source::Ready>(&pulled))
        append_bytes(ready->size, output, room);
    else
        append_head_of_file(output);
    return Pull::pulled;
}

/// The bytes are in `room`, behind the space for a size line.
void Outgoing::append_bytes(std::size_t size, OutputBuffer& output, char* room) {
    char* const data = room + 2 + size_line_bytes;
    if (delimiter_ != Delimiter::chunked) {
        std::memmove(room, data, size);
        output.commit(size);
    } else {
        const std::size_t gap = std::exchange(chunk_open_, false) ? 2 : 0;
        char* const chunk = room + gap;
        std::memmove(chunk + size_line_bytes, data, size);
        if (gap != 0) std::memcpy(room, "\r\n", 2);
        write_size_line(chunk, size);
        std::memcpy(chunk + size_line_bytes + size, "\r\n", 2);
        output.commit(gap + size_line_bytes + size + 2);
    }
    content_sent_ += size;
}

void Outgoing::append_head_of_file(OutputBuffer& output) {
    if (delimiter_ != Delimiter::chunked) return;
    if (std::exchange(chunk_open_, true)) output.append("\r\n");
    std::array<char, 16> digits;
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), file().size, 16).ptr;
    output.append({digits.data(), static_cast<std::size_t>(end - digits.data())});
    output.append("\r\n");
}

Outgoing::Pull Outgoing::end(OutputBuffer& output) {
    ended_ = true;
    if (std::exchange(chunk_open_, false)) output.append("\r\n");
    if (delimiter_ == Delimiter::chunked) {
        output.append("0\r\n");
        output.append(trailers());
        output.append("\r\n");
    }
    return Pull::finished;
}

}  // namespace weir::http
