#include "server/log/target/log_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <optional>
#include <utility>

#include "base/last_error.h"
#include "net/clock.h"
#include "server/log/target/output.h"

namespace weir::server {
namespace {

/// The mode lets only the owner and the group read the log, because it shows who requested what.
/// O_NONBLOCK matters only for a FIFO.
net::UniqueFd open_to_append(const char* path) noexcept {
    const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    return net::UniqueFd{::open(path, flags, S_IRUSR | S_IWUSR | S_IRGRP)};
}

std::expected<net::UniqueFd, std::error_code> open_path(const std::string& path) {
    if (path == "-") return reopen_without_blocking(STDERR_FILENO);
    auto fd = open_to_append(path.c_str());
    if (!fd) return std::unexpected{last_error()};
    return fd;
}

net::UniqueFd open_to_read(const std::string& path) {
    return net::UniqueFd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)};
}

/// Nothing if the file is empty, is no regular file, or cannot be read.
std::optional<char> last_byte(int fd) {
    struct stat status{};
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return {};
    char last = 0;
    if (::pread(fd, &last, 1, status.st_size - 1) != 1) return {};
    return last;
}

/// True if the file ends within a line: the previous process may have ended during a write.
bool ends_within_line(const std::string& path) {
    return last_byte(open_to_read(path).get()).value_or('\n') != '\n';
}

bool is_same_file(int one, int other) noexcept {
    struct stat first{}, second{};
    return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/// A regular file takes any amount. If poll(2) reports a pipe as writable, a write of PIPE_BUF
/// bytes does not block, even if the descriptor is shared and must stay in blocking mode (pipe(7)).
std::size_t piece_bytes(int fd) {
    struct stat status{};
    return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? SSIZE_MAX : PIPE_BUF;
}

/// Returns whole lines if at least one fits, because other processes may write to the same pipe or
/// terminal.
std::string_view next_piece(std::string_view bytes, std::size_t size_max) {
    const auto piece = bytes.substr(0, size_max);
    const auto feed = piece.size() < bytes.size() ? piece.rfind('\n') : std::string_view::npos;
    return feed == std::string_view::npos ? piece : piece.substr(0, feed + 1);
}

/// Returns the size of the incomplete last line within the first `size` bytes.
std::size_t cut_bytes(std::string_view bytes, std::size_t size) {
    const auto feed = bytes.substr(0, size).rfind('\n');
    return feed == std::string_view::npos ? size : size - feed - 1;
}

}  // namespace

std::expected<LogFile, std::error_code> LogFile::open(const std::string& path) {
    auto fd = open_path(path);
    if (!fd) return std::unexpected{fd.error()};
    LogFile file{path, "access log " + path, std::move(*fd)};
    file.line_cut_ = path != "-" && ends_within_line(path);
    return file;
}

void LogFile::make(const char* path) noexcept {
    const int saved_errno = errno;
    static_cast<void>(open_to_append(path));
    errno = saved_errno;
}

LogFile LogFile::standard_output() {
    auto fd = reopen_without_blocking(STDOUT_FILENO);
    if (!fd) fd.reset(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    return LogFile{"-", "standard output", std::move(fd)};
}

LogFile::LogFile(std::string path, std::string name, net::UniqueFd fd)
    : path_{std::move(path)},
      name_{std::move(name)},
      fd_{std::move(fd)},
      piece_bytes_{piece_bytes(this->fd())} {}

std::error_code LogFile::reopen() {
    auto fd = open_path(path_);
    if (!fd) return fd.error();
    // If the files are the same, line_cut_ still counts: a sandbox may let the process write the
    // file, but not read it.
    const bool is_same = is_same_file(this->fd(), fd->get());
    line_cut_ = (is_same && line_cut_) || (path_ != "-" && ends_within_line(path_));
    fd_ = std::move(*fd);
    piece_bytes_ = piece_bytes(this->fd());
    return {};
}

bool LogFile::has_its_path() const noexcept {
    struct stat open{}, named{};
    return ::fstat(fd(), &open) == 0 && ::stat(path_.c_str(), &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

LogFile::Written LogFile::write(std::string_view bytes, const std::atomic<bool>& stopping) {
    if (bytes.empty()) return {};
    // Ends a line that was cut short, so that the next line stands by itself.
    if (line_cut_ && !was_ended_by_others()) {
        if (const Written feed = write_whole("\n", stopping); feed.size == 0)
            return {.size = 0, .error = feed.error};
    }
    Written written = write_whole(bytes, stopping);
    if (line_cut_ && written.size < bytes.size())
        written.size -= take_back(cut_bytes(bytes, written.size));
    return written;
}

/// Several processes may have found the same cut line when they opened the file. The first of them
/// that writes has ended it. False if the file cannot be read.
bool LogFile::was_ended_by_others() const {
    if (path_ == "-") return false;
    const net::UniqueFd file = open_to_read(path_);
    return is_same_file(fd(), file.get()) && last_byte(file.get()) == '\n';
}

/// Removes the last `size` written bytes, if the file ends with them: other processes append to the
/// file without knowing of the cut line, and the next of them would continue that line.
std::size_t LogFile::take_back(std::size_t size) {
    const off_t end = ::lseek(fd(), 0, SEEK_CUR);
    struct stat status{};
    const bool is_last =
        ::fstat(fd(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size == end;
    if (!is_last || ::ftruncate(fd(), end - static_cast<off_t>(size)) != 0) return 0;
    line_cut_ = false;
    return size;
}

LogFile::Written LogFile::write_whole(std::string_view bytes, const std::atomic<bool>& stopping) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        if (!wait_writable(stopping)) return {.size = done, .error = {}};
        const auto piece = next_piece(bytes.substr(done), piece_bytes_);
        const auto written = ::write(fd(), piece.data(), piece.size());
        if (written < 0) {
            if (errno == EINTR || errno == EAGAIN) continue;
            return {.size = done, .error = last_error()};
        }
        done += static_cast<std::size_t>(written);
        if (written > 0) line_cut_ = bytes[done - 1] != '\n';
    }
    return {.size = done, .error = {}};
}

int LogFile::fd() const noexcept { return fd_ ? fd_.get() : STDERR_FILENO; }

bool LogFile::wait_writable(const std::atomic<bool>& stopping) {
    constexpr std::chrono::milliseconds patience{500};
    pollfd waited{.fd = fd(), .events = POLLOUT, .revents = 0};
    for (;;) {
        const Instant now = net::read_instant();
        if (stopping.load(std::memory_order_relaxed) && give_up_at_ == never)
            give_up_at_ = now + patience;
        const Instant look_at = std::min(give_up_at_, now + patience);
        if (::poll(&waited, 1, net::wait_milliseconds(look_at, now)) != 0) return true;
        if (look_at == give_up_at_) return false;
    }
}

}  // namespace weir::server
