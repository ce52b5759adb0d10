#pragma once

#include <sys/stat.h>

#include <compare>
#include <cstdint>

#include "base/file_date.h"

namespace weir::site {

struct FileTime {
    std::int64_t seconds = 0;  // since 1970-01-01T00:00:00Z
    std::int64_t nanoseconds = 0;

    auto operator<=>(const FileTime&) const = default;
};

enum class FileKind : std::uint8_t { regular, directory, other };

/// The result of fstat(2), as far as it distinguishes one state of a file from the next.
struct FileState {
    FileKind kind = FileKind::other;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t links = 0;
    std::uint64_t size = 0;
    FileTime modified{};
    /// Only the kernel sets it: it reveals a change even if the modification time was restored.
    FileTime changed{};

    bool operator==(const FileState&) const = default;

    static FileState from(const struct stat& status) noexcept {
        const auto kind = S_ISREG(status.st_mode)   ? FileKind::regular
                          : S_ISDIR(status.st_mode) ? FileKind::directory
                                                    : FileKind::other;
        return {.kind = kind,
                .device = status.st_dev,
                .inode = status.st_ino,
                .links = status.st_nlink,
                .size = static_cast<std::uint64_t>(status.st_size),
                .modified = {status.st_mtim.tv_sec, status.st_mtim.tv_nsec},
                .changed = {status.st_ctim.tv_sec, status.st_ctim.tv_nsec}};
    }
};

/// False while the file may change again without a change of its times (has_settled()). A tag that
/// does not cover the content is then valid for one response only.
inline bool is_settled(const FileState& state, FileTime now) noexcept {
    return has_settled({state.changed.seconds, state.changed.nanoseconds},
                       {now.seconds, now.nanoseconds});
}

/// True if `made` was made from an older state of `from`, by their times. A checkout or a copy writes
/// both files in any order, and some file systems count in steps of two seconds.
inline bool is_older(const FileState& made, const FileState& from) noexcept {
    constexpr std::int64_t allowed_seconds = 2;
    const FileTime& time = made.modified;
    return FileTime{time.seconds + allowed_seconds, time.nanoseconds} < from.modified;
}

}  // namespace weir::site
