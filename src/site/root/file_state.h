#pragma once

#include <sys/stat.h>

#include <compare>
#include <cstdint>

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

}  // namespace weir::site
