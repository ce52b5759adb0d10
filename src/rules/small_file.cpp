#include "rules/small_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/last_error.h"
#include "net/unique_fd.h"

namespace weir::rules {
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

bool FileMark::operator==(const FileMark& other) const noexcept {
    return device == other.device && inode == other.inode && size == other.size &&
           equal(modified, other.modified) && equal(changed, other.changed);
}

}  // namespace weir::rules
