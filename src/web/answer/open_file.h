#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace weir::web {

/// A regular file that stays open as long as somebody owns it.
struct OpenFile {
    /// Null if it cannot be opened or is no regular file.
    static std::shared_ptr<const OpenFile> open(const std::string& path);

    OpenFile(int descriptor, std::uint64_t bytes, std::int64_t seconds,
             std::int64_t nanoseconds) noexcept
        : fd{descriptor}, size{bytes}, modified{seconds}, modified_nanoseconds{nanoseconds} {}
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    const int fd;
    const std::uint64_t size;
    const std::int64_t modified;  // Unix seconds
    const std::int64_t modified_nanoseconds;

    /// Strong, with its quotes: of the size and the time.
    std::string entity_tag() const;
};

}  // namespace weir::web
