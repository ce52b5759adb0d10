#include "access/password/small_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/last_error.h"
#include "net/uninterrupted.h"
#include "net/unique_fd.h"
#include "site/root/root_directory.h"

namespace weir::access {
namespace {

std::unexpected<std::error_code> failure(std::errc error) {
    return std::unexpected{std::make_error_code(error)};
}

}  // namespace

std::expected<std::string, std::error_code> read_small_file(const std::string& path,
                                                            std::size_t bytes_max) {
    const net::UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (!file) return std::unexpected{last_error()};
    return read_small_file(file.get(), bytes_max);
}

std::expected<std::string, std::error_code> read_small_file(int fd, std::size_t bytes_max) {
    struct stat status{};
    if (::fstat(fd, &status) != 0) return std::unexpected{last_error()};
    if (S_ISDIR(status.st_mode)) return failure(std::errc::is_a_directory);
    if (!S_ISREG(status.st_mode)) return failure(std::errc::invalid_argument);
    // One byte more shows that a file has grown.
    std::string content(std::min(static_cast<std::size_t>(status.st_size), bytes_max) + 1, '\0');
    std::size_t size = 0;
    while (size < content.size()) {
        const ssize_t read = net::uninterrupted(
            [&] { return ::read(fd, content.data() + size, content.size() - size); });
        if (read < 0) return std::unexpected{last_error()};
        if (read == 0) break;
        size += static_cast<std::size_t>(read);
        if (size == content.size() && size <= bytes_max) content.resize(bytes_max + 1);
    }
    if (size > bytes_max) return failure(std::errc::file_too_large);
    content.resize(size);
    return content;
}

bool is_passing(const std::error_code& error) noexcept {
    return !site::is_fact(error) && error != std::errc::is_a_directory &&
           error != std::errc::file_too_large;
}

site::FileState look_at(const std::string& path) noexcept {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 ? site::FileState::from(status) : site::FileState{};
}

std::uint64_t mark_of(const site::FileState& state) noexcept {
    constexpr std::uint64_t prime = 1'099'511'628'211U;  // FNV-1a, by words
    std::uint64_t hash = 14'695'981'039'346'656'037U;
    for (const std::uint64_t word :
         {state.device, state.inode, state.size, static_cast<std::uint64_t>(state.modified.seconds),
          static_cast<std::uint64_t>(state.modified.nanoseconds),
          static_cast<std::uint64_t>(state.changed.seconds),
          static_cast<std::uint64_t>(state.changed.nanoseconds)})
        hash = (hash ^ word) * prime;
    return hash | 1U;
}

}  // namespace weir::access
