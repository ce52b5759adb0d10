#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace weir::web {

/// A regular file that stays open as long as this object lives.
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
    /// In Unix seconds. Null if is_date_of_file() rejects the time.
    std::optional<std::int64_t> modified() const noexcept;
    /// With its quotes: made of the size and the time. If modified() is null, it is made of the
    /// inode and its last change. While the file may change without a trace, the tag is weak and
    /// for one response.
    std::string entity_tag() const;
};

}  // namespace weir::web
