#include "archive/archive_source.h"

#include <algorithm>

#include "base/troubles.h"
#include "site/files/read_file.h"

namespace weir::archive {

http::Source::Pulled ArchiveSource::pull(std::span<char> into) {
    std::size_t size = 0;
    while (size < into.size()) {
        const std::span<char> room = into.subspan(size);
        if (given_ < text_.size()) {
            size += take_text(room);
        } else if (file_) {
            const auto read_now = read(room);
            if (!read_now) return Failed{};
            size += *read_now;
        } else if (is_finished_) {
            break;
        } else if (!go_on()) {
            return Failed{};
        }
    }
    if (size == 0) return End{};
    return Ready{size};
}

std::size_t ArchiveSource::take_text(std::span<char> into) {
    const std::size_t size = text_.copy(into.data(), into.size(), given_);
    given_ += size;
    return size;
}

/// Begins with the next file or folder, or with the end of the archive.
bool ArchiveSource::go_on() {
    text_.clear();
    given_ = 0;
    auto found = walk_.next();
    if (!found) return false;
    if (!*found) {
        format_->finish(text_);
        is_finished_ = true;
        return true;
    }
    member_ = std::move((*found)->member);
    if (!member_.is_folder && !open((*found)->path)) return false;
    format_->begin(text_, member_);
    if (!file_) format_->end(text_, member_);
    return true;
}

/// A file that is gone meanwhile is an error, too: the archive would lack it without a word.
bool ArchiveSource::open(const std::string& path) {
    if (!share_.take()) {
        troubles().note(Trouble::descriptors);
        return false;
    }
    auto opened = root_.open_file(path);
    if (!opened) return false;
    file_ = std::move(opened->fd);
    member_.size = opened->state.size;
    member_.modified = opened->state.modified.seconds;
    read_ = 0;
    return true;
}

/// Nothing if that failed. A file that grows is read as far as it was long.
std::optional<std::size_t> ArchiveSource::read(std::span<char> into) {
    const std::uint64_t left = member_.size - read_;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, into.size()));
    const auto size = site::read_at(file_.get(), read_, into.data(), wanted);
    if (!size || (*size < wanted && !format_->may_be_short())) return std::nullopt;
    format_->see({into.data(), *size});
    read_ += *size;
    if (read_ == member_.size || *size < wanted) {
        text_.clear();
        given_ = 0;
        format_->end(text_, member_);
        file_ = {};
        share_ = {};
    }
    return *size;
}

}  // namespace weir::archive
