#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "weir/http/response.h"

namespace weir::compress {

/// The size of a content in bytes; nothing if a source does not know it.
std::optional<std::uint64_t> size_of(const http::Response::Content& content);

/// The bytes of a content in memory; nothing for other contents.
std::optional<std::string_view> bytes_of(const http::Response::Content& content);

/// The state of an open file, which changes with each write to the file.
class FileVersion {
   public:
    explicit FileVersion(int fd) noexcept;
    bool operator==(const FileVersion& other) const noexcept;

    std::int64_t modified() const noexcept { return status_.st_mtim.tv_sec; }
    std::uint64_t size() const noexcept { return static_cast<std::uint64_t>(status_.st_size); }
    /// False if the file may still change without a change of its times: see has_settled().
    bool is_settled() const noexcept;

   private:
    struct stat status_{};
    bool is_known_;
};

/// Bytes in memory or in a file, read in pieces. If the file changes meanwhile, reading fails: the
/// peer must not get a mixture, and must see that its content is incomplete.
class Input {
   public:
    Input() noexcept = default;
    explicit Input(std::string_view bytes) noexcept : bytes_{bytes} {}
    explicit Input(const http::FileRange& file) noexcept : file_{file}, version_{file.fd} {}

    enum class State : std::uint8_t { more, end, failed };
    struct Piece {
        State state;
        std::string_view bytes{};  // at least one byte with `more`; in memory or in `room`
    };
    Piece next(std::span<char> room) noexcept;

   private:
    Piece of_file(std::span<char> room) noexcept;

    std::string_view bytes_{};  // the remaining bytes
    http::FileRange file_{};    // the same
    std::optional<FileVersion> version_{};
};

}  // namespace weir::compress
