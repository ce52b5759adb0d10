#include "compress/stream/input.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>

#include "base/file_date.h"

namespace weir::compress {

namespace {

bool are_equal(const timespec& one, const timespec& other) noexcept {
    return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

}  // namespace

std::optional<std::uint64_t> size_of(const http::Response::Content& content) {
    if (const auto* const view = std::get_if<std::string_view>(&content)) return view->size();
    if (const auto* const own = std::get_if<std::string>(&content)) return own->size();
    if (const auto* const range = std::get_if<http::FileRange>(&content)) return range->size;
    if (const auto* const source = std::get_if<std::unique_ptr<http::Source>>(&content))
        return (*source)->size();
    return 0;
}

std::optional<std::string_view> bytes_of(const http::Response::Content& content) {
    if (const auto* const own = std::get_if<std::string>(&content)) return *own;
    if (const auto* const view = std::get_if<std::string_view>(&content)) return *view;
    return std::nullopt;
}

FileVersion::FileVersion(int fd) noexcept : is_known_{::fstat(fd, &status_) == 0} {}

/// If another file replaces this one, st_ctim changes together with st_nlink, but the content stays
/// the same.
bool FileVersion::operator==(const FileVersion& other) const noexcept {
    return is_known_ && other.is_known_ && status_.st_size == other.status_.st_size &&
           are_equal(status_.st_mtim, other.status_.st_mtim) &&
           (are_equal(status_.st_ctim, other.status_.st_ctim) ||
            status_.st_nlink != other.status_.st_nlink);
}

bool FileVersion::is_settled() const noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return is_known_ && has_settled({status_.st_ctim.tv_sec, status_.st_ctim.tv_nsec},
                                    {now.tv_sec, now.tv_nsec});
}

Input::Piece Input::next(std::span<char> room) noexcept {
    if (version_) return of_file(room);
    if (bytes_.empty()) return {State::end};
    const std::string_view piece = bytes_.substr(0, room.size());
    bytes_.remove_prefix(piece.size());
    return {State::more, piece};
}

Input::Piece Input::of_file(std::span<char> room) noexcept {
    if (file_.size == 0) return {State::end};
    const std::size_t wanted = std::min<std::uint64_t>(file_.size, room.size());
    ssize_t size = 0;
    do size = ::pread(file_.fd, room.data(), wanted, static_cast<off_t>(file_.offset));
    while (size < 0 && errno == EINTR);
    if (size <= 0) return {State::failed};
    const auto read = static_cast<std::size_t>(size);
    file_.offset += read;
    file_.size -= read;
    // Checked before the last piece, so that all pieces are of one version.
    if (file_.size == 0 && *version_ != FileVersion{file_.fd}) return {State::failed};
    return {State::more, {room.data(), read}};
}

}  // namespace weir::compress
