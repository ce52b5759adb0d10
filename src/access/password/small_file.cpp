#include "access/password/small_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/last_error.h"
#include "net/unique_fd.h"

namespace weir::access {
namespace {

std::unexpected<std::error_code> failure(std::errc error) {
    return std::unexpected{std::make_error_code(error)};
}

bool equal(const timespec& left, const timespec& right) noexcept {
    return left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec;
}

}  // namespace

std::expected<std::string, std::error_code> read_small_file(const std::string& path,
                                                            std::size_t bytes_max) {
    const net::UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (!file) return std::unexpected{last_error()};
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) return std::unexpected{last_error()};
    if (S_ISDIR(status.st_mode)) return failure(std::errc::is_a_directory);
    if (!S_ISREG(status.st_mode)) return failure(std::errc::invalid_argument);
    // One byte more shows that a file has grown.
    std::string content(std::min(static_cast<std::size_t>(status.st_size), bytes_max) + 1, '\0');
    std::size_t size = 0;
    while (size < content.size()) {
        const ssize_t read = ::read(file.get(), content.data() + size, content.size() - size);
        if (read < 0 && errno == EINTR) continue;
        if (read < 0) return std::unexpected{last_error()};
        if (read == 0) break;
        size += static_cast<std::size_t>(read);
        if (size == content.size() && size <= bytes_max) content.resize(bytes_max + 1);
    }
    if (size > bytes_max) return failure(std::errc::file_too_large);
    content.resize(size);
    return content;
}

FileMark FileMark::of(const std::string& path) noexcept {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {.device = status.st_dev,
            .inode = status.st_ino,
            .size = status.st_size,
            .modified = status.st_mtim,
            .changed = status.st_ctim};
}

std::uint64_t FileMark::hash() const noexcept {
    constexpr std::uint64_t prime = 1'099'511'628'211U;  // FNV-1a, by words
    std::uint64_t hash = 14'695'981'039'346'656'037U;
    for (const auto word :
         {static_cast<std::uint64_t>(device), static_cast<std::uint64_t>(inode),
          static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(modified.tv_sec),
          static_cast<std::uint64_t>(modified.tv_nsec), static_cast<std::uint64_t>(changed.tv_sec),
          static_cast<std::uint64_t>(changed.tv_nsec)})
        hash = (hash ^ word) * prime;
    return hash | 1U;
}

bool FileMark::operator==(const FileMark& other) const noexcept {
    return device == other.device && inode == other.inode && size == other.size &&
           equal(modified, other.modified) && equal(changed, other.changed);
}

}  // namespace weir::access
