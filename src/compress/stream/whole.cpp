#include "compress/stream/whole.h"

#include <span>
#include <string_view>
#include <utility>

#include "compress/stream/input.h"

namespace weir::compress {

namespace {

bool append(std::string& out, Encoder& encoder, std::string_view bytes, Flush flush) {
    constexpr std::size_t room_bytes = 4096;
    for (;;) {
        const std::size_t size = out.size();
        out.resize(size + room_bytes);
        const auto progress = encoder.encode(bytes, std::span{out}.subspan(size), flush);
        out.resize(size + progress.given);
        bytes.remove_prefix(progress.taken);
        if (progress.has_failed) return false;
        if (flush == Flush::end ? progress.is_done : bytes.empty()) return true;
        if (progress.taken == 0 && progress.given == 0) return false;
    }
}

/// Borrows what `content` has.
http::Response::Content view_of(const http::Response::Content& content) {
    if (const auto* const own = std::get_if<std::string>(&content)) return std::string_view{*own};
    if (const auto* const view = std::get_if<std::string_view>(&content)) return *view;
    if (const auto* const range = std::get_if<http::FileRange>(&content)) return *range;
    return {};
}

}  // namespace

std::optional<std::string> compressed(const http::Response::Content& content, Encoder& encoder) {
    Input input{view_of(content), nullptr};
    std::string out;
    for (;;) {
        const Input::Piece piece = input.next();
        if (piece.state == Input::State::end) break;
        if (piece.state != Input::State::more) return std::nullopt;
        if (!append(out, encoder, piece.bytes, Flush::none)) return std::nullopt;
    }
    if (!append(out, encoder, {}, Flush::end)) return std::nullopt;
    out.shrink_to_fit();
    return out;
}

}  // namespace weir::compress
