#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace weir::web {

/// A regular file that stays open as long as somebody owns it.
struct OpenFile {
    /// Null if it cannot be opened or is no regular file.
    static std::shared_ptr<const OpenFile> open(const std::string& path);

    OpenFile(int descriptor, const struct stat& status) noexcept : fd{descriptor}, state{status} {}
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    const int fd;
    const struct stat state;

    std::uint64_t size() const noexcept { return static_cast<std::uint64_t>(state.st_size); }
    /// In Unix seconds. Nothing if the time says nothing.
    std::optional<std::int64_t> modified() const noexcept;
    /// With its quotes: of the size and the time. If the time says nothing, of the inode and its last
    /// change. While the file may change without a trace, it is weak and for one answer.
    std::string entity_tag() const;
};

}  // namespace weir::web
