#include "compress/stream/input.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <string>
#include <utility>

namespace weir::compress {

using http::Source;

std::optional<std::uint64_t> size_of(const http::Response::Content& content) {
    if (const auto* const view = std::get_if<std::string_view>(&content)) return view->size();
    if (const auto* const own = std::get_if<std::string>(&content)) return own->size();
    if (const auto* const range = std::get_if<http::FileRange>(&content)) return range->size;
    if (const auto* const source = std::get_if<std::unique_ptr<Source>>(&content))
        return (*source)->size();
    return 0;
}

Input::Input(http::Response::Content content, std::shared_ptr<const void> owner) noexcept
    : content_{std::move(content)}, owner_{std::move(owner)} {
    if (const auto* const range = std::get_if<http::FileRange>(&content_)) file_ = *range;
}

Source* Input::source() const noexcept {
    const auto* const source = std::get_if<std::unique_ptr<Source>>(&content_);
    return source != nullptr ? source->get() : nullptr;
}

Input::Piece Input::next() {
    if (file_.size != 0) return of_file();
    if (Source* const from = source()) return of_source(*from);
    std::string_view bytes;
    if (const auto* const view = std::get_if<std::string_view>(&content_)) bytes = *view;
    if (const auto* const own = std::get_if<std::string>(&content_)) bytes = *own;
    if (taken_ == bytes.size()) return {State::end};
    const std::string_view piece = bytes.substr(taken_, piece_bytes_max);
    taken_ += piece.size();
    return {State::more, piece};
}

/// A pull that throws fails its source, as it would without us.
Input::Piece Input::of_source(Source& source) {
    const auto pulled = source.pull(std::span{buffer(), piece_bytes_max});
    if (const auto* const ready = std::get_if<Source::Ready>(&pulled))
        return ready->size == 0 || ready->size > piece_bytes_max
                   ? Piece{State::failed}
                   : Piece{State::more, {buffer(), ready->size}};
    if (const auto* const file = std::get_if<Source::File>(&pulled)) {
        file_ = file->range;
        return file_.size != 0 ? of_file() : Piece{State::failed};
    }
    if (std::holds_alternative<Source::NotReady>(pulled)) return {State::not_ready};
    if (std::holds_alternative<Source::End>(pulled)) return {State::end};
    return {State::failed};
}

/// A file that has become shorter fails: the peer must see that its content is not whole.
Input::Piece Input::of_file() {
    const std::size_t wanted = std::min<std::uint64_t>(file_.size, piece_bytes_max);
    ssize_t size = 0;
    do size = ::pread(file_.fd, buffer(), wanted, static_cast<off_t>(file_.offset));
    while (size < 0 && errno == EINTR);
    if (size <= 0) return {State::failed};
    const auto read = static_cast<std::size_t>(size);
    file_.offset += read;
    file_.size -= read;
    return {State::more, {buffer(), read}};
}

char* Input::buffer() {
    if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(piece_bytes_max);
    return buffer_.get();
}

}  // namespace weir::compress
