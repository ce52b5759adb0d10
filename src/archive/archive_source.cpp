#include "archive/archive_source.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/troubles.h"
#include "net/uninterrupted.h"

namespace weir::archive {
namespace {

/// The most bytes of content that one call adds: some 0.4 ms of compression.
constexpr std::size_t piece_bytes = 16 * 1024;
/// The most names that one call reads if none of them adds bytes to the archive.
constexpr int names_per_call = 64;

std::size_t read_at(int fd, std::uint64_t offset, std::span<char> into) noexcept {
    const auto size = net::uninterrupted(
        [&] { return ::pread(fd, into.data(), into.size(), static_cast<off_t>(offset)); });
    return static_cast<std::size_t>(std::max<ssize_t>(size, 0));
}

}  // namespace

ArchiveSource::ArchiveSource(Of of, std::unique_ptr<Writer> writer, Place place)
    : of_{std::move(of)},
      walk_{of_.root, of_.folder, of_.choice},
      writer_{std::move(writer)},
      place_{std::move(place)} {}

http::Source::Pulled ArchiveSource::pull(std::span<char> into) {
    std::string& written = writer_->written();
    if (given_ == written.size()) {
        written.clear();
        given_ = 0;
        if (!is_finished_ && !go_on()) return Failed{};
    }
    const std::size_t size = written.copy(into.data(), into.size(), given_);
    given_ += size;
    if (size > 0) return Ready{size};
    return is_finished_ ? Pulled{End{}} : Pulled{NotReady{}};
}

bool ArchiveSource::go_on() {
    if (file_) return add_content();
    for (int i = 0; i < names_per_call && !file_ && !is_finished_ && writer_->written().empty();
         ++i)
        if (!begin_next()) return false;
    return true;
}

/// Begins the next file or folder, or ends the archive.
bool ArchiveSource::begin_next() {
    using site::Walk;
    Walk::Found found;
    const auto step = walk_.next(found);
    if (!step) return false;
    if (*step == Walk::Step::end) {
        is_finished_ = true;
        return writer_->finish();
    }
    if (*step == Walk::Step::nothing || found.kind == Walk::Kind::link_to_folder) return true;
    const std::size_t above = of_.folder.empty() ? 0 : of_.folder.size() + 1;
    member_ = {.name = of_.name + '/' + found.path.substr(above),
               .is_folder = found.kind == Walk::Kind::folder};
    return member_.is_folder ? add_folder(found.path) : open(found.path);
}

bool ArchiveSource::add_folder(const std::string& path) {
    const auto seen = of_.root->look(path);
    if (!seen) return site::is_fact(seen.error().error);
    member_.modified = seen->state.modified.seconds;
    return writer_->begin(member_);
}

/// Leaves out a file that no longer exists, or that the process may not read.
bool ArchiveSource::open(const std::string& path) {
    if (!share_.take()) {
        troubles().note(Trouble::descriptors);
        return false;
    }
    auto opened = of_.root->open_file(path);
    if (!opened) {
        share_ = {};
        return site::is_fact(opened.error());
    }
    member_.size = opened->state.size;
    member_.modified = opened->state.modified.seconds;
    read_ = 0;
    if (!writer_->begin(member_)) return false;
    if (member_.size > 0)
        file_ = std::move(opened->fd);
    else
        share_ = {};
    return true;
}

/// If a file grows, only its first Member::size bytes are read. If it shrinks, this fails, because
/// the archive has already named the larger size.
bool ArchiveSource::add_content() {
    std::array<char, piece_bytes> piece;
    const std::uint64_t left = member_.size - read_;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
    const std::size_t size = read_at(file_.get(), read_, std::span{piece}.first(wanted));
    if (size == 0 || !writer_->add({piece.data(), size})) return false;
    read_ += size;
    if (read_ == member_.size) {
        file_ = {};
        share_ = {};
    }
    return true;
}

}  // namespace weir::archive
