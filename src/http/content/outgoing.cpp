#include "http/content/outgoing.h"

#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/hexadecimal.h"
#include "weir/http/tunnel.h"

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

Outgoing::Outgoing(Response&& response, Delimiter delimiter, std::uint64_t source_size)
    : response_{std::move(response)}, delimiter_{delimiter}, announced_left_{source_size} {
    auto& content = response_.content();
    if (auto* view = std::get_if<std::string_view>(&content))
        bytes_ = *view;
    else if (auto* own = std::get_if<std::string>(&content))
        bytes_ = *own;
    else if (auto* range = std::get_if<FileRange>(&content))
        file_ = *range;
    else if (auto* source = std::get_if<std::unique_ptr<Source>>(&content))
        source_ = source->get();
}

Outgoing::~Outgoing() { done(Outcome::stopped); }

std::size_t Outgoing::own_bytes() const noexcept {
    if (const Tunnel* const of_tunnel = tunnel()) return of_tunnel->bytes();
    const auto* const own = std::get_if<std::string>(&response_.content());
    return own != nullptr ? own->capacity() : 0;
}

void Outgoing::sent(std::uint64_t size) noexcept {
    content_sent_ += size;
    const auto of_bytes = std::min<std::uint64_t>(size, bytes_.size());
    bytes_.remove_prefix(of_bytes);
    file_.offset += size - of_bytes;
    file_.size -= size - of_bytes;
}

void Outgoing::name_request(const Request& request) {
    if (source_ != nullptr) request_name_ = UserCode::name_of(request);
}

Outgoing::Pull Outgoing::pull(OutputBuffer& output, FailureObserver* failures) {
    if (source_ == nullptr || ended_) return Pull::finished;
    if (delimiter_ == Delimiter::length && announced_left_ == 0) return end(output);
    // Reserve space before the data for the CRLF of the previous chunk and this chunk's size line.
    char* const room = output.room(pull_bytes_max + 2 + size_line_bytes + 2);
    auto pulled = UserCode{failures, request_name_}.pull(
        *source_, {room + 2 + size_line_bytes, pull_bytes_max});
    if (auto* ready = std::get_if<Source::Ready>(&pulled)) return take(*ready, output, room);
    if (auto* file = std::get_if<Source::File>(&pulled)) return take(*file, output);
    if (std::holds_alternative<Source::NotReady>(pulled)) return Pull::not_ready;
    if (std::holds_alternative<Source::End>(pulled)) return end(output);
    return Pull::failed;
}

/// If a source gave more than it announced, the peer would take the excess for the next answer.
bool Outgoing::fits(std::uint64_t size) noexcept {
    if (size == 0) return false;
    if (delimiter_ != Delimiter::length) return true;
    if (size > announced_left_) return false;
    announced_left_ -= size;
    return true;
}

Outgoing::Pull Outgoing::take(Source::Ready ready, OutputBuffer& output, char* room) {
    if (ready.size > pull_bytes_max || !fits(ready.size)) return Pull::failed;
    char* const data = room + 2 + size_line_bytes;
    if (delimiter_ != Delimiter::chunked) {
        std::memmove(room, data, ready.size);
        output.commit(ready.size);
    } else {
        const std::size_t gap = std::exchange(chunk_open_, false) ? 2 : 0;
        char* const chunk = room + gap;
        std::memmove(chunk + size_line_bytes, data, ready.size);
        if (gap != 0) std::memcpy(room, "\r\n", 2);
        write_size_line(chunk, ready.size);
        std::memcpy(chunk + size_line_bytes + ready.size, "\r\n", 2);
        output.commit(gap + size_line_bytes + ready.size + 2);
    }
    content_sent_ += ready.size;
    return Pull::pulled;
}

Outgoing::Pull Outgoing::take(Source::File file, OutputBuffer& output) {
    if (!fits(file.range.size)) return Pull::failed;
    if (delimiter_ == Delimiter::chunked) {
        if (std::exchange(chunk_open_, true)) output.append("\r\n");
        std::array<char, 16> digits;
        const auto end =
            std::to_chars(digits.data(), digits.data() + digits.size(), file.range.size, 16).ptr;
        output.append({digits.data(), static_cast<std::size_t>(end - digits.data())});
        output.append("\r\n");
    }
    file_ = file.range;
    return Pull::pulled;
}

Outgoing::Pull Outgoing::end(OutputBuffer& output) {
    if (delimiter_ == Delimiter::length && announced_left_ != 0) return Pull::failed;
    ended_ = true;
    if (std::exchange(chunk_open_, false)) output.append("\r\n");
    if (delimiter_ == Delimiter::chunked) {
        output.append("0\r\n");
        output.append(source_->trailers());
        output.append("\r\n");
    }
    return Pull::finished;
}

void Outgoing::done(Outcome outcome) noexcept {
    if (Source* const source = std::exchange(source_, nullptr)) source->done(outcome);
}

}  // namespace weir::http
