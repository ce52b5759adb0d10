#include "server/log/target/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>

#include "net/uninterrupted.h"

namespace weir::server {
namespace {

// Excludes files: a file and its position may be shared with other processes, and a second
// description would have another position.
bool is_pipe_or_device(int fd) noexcept {
    struct stat status{};
    return ::fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode));
}

/// Retries after EINTR, because a signal must not cost a line.
ssize_t write_uninterrupted(int fd, std::string_view bytes) noexcept {
    return net::uninterrupted([&] { return ::write(fd, bytes.data(), bytes.size()); });
}

ssize_t write_if_ready(int fd, std::string_view bytes) noexcept {
    pollfd waited{fd, POLLOUT, 0};
    if (net::uninterrupted([&] { return ::poll(&waited, 1, 0); }) > 0)
        return write_uninterrupted(fd, bytes);
    errno = EAGAIN;
    return -1;
}

}  // namespace

net::UniqueFd reopen_without_blocking(int fd) noexcept {
    if (!is_pipe_or_device(fd)) return {};
    std::array<char, 32> path{"/proc/self/fd/"};
    std::to_chars(path.data() + std::string_view{path.data()}.size(), path.end() - 1, fd);
    const int packets = ::fcntl(fd, F_GETFL) & O_DIRECT;  // O_DIRECT: a pipe that keeps writes
                                                          // apart
    return net::UniqueFd{
        ::open(path.data(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | packets)};
}

ssize_t write_at_once(int fd, std::string_view bytes) noexcept {
    const auto sent = net::uninterrupted(
        [&] { return ::send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL); });
    if (sent >= 0 || errno != ENOTSOCK) return sent;
    if (const auto own = reopen_without_blocking(fd)) return write_uninterrupted(own.get(), bytes);
    // If poll(2) reports a pipe as writable, it takes PIPE_BUF bytes without blocking (pipe(7)).
    return write_if_ready(fd, bytes.substr(0, PIPE_BUF));
}

}  // namespace weir::server
