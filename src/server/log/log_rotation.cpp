#include "server/log/log_rotation.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/last_error.h"
#include "net/uninterrupted.h"
#include "server/log/target/log_destination.h"

namespace weir::server {
namespace {

/// A lock of the open file (F_OFD_SETLKW in fcntl(2)), which other processes respect. Closing the
/// file ends it, too.
bool lock(int fd, short type) noexcept {
    struct flock whole{};
    whole.l_type = type;
    whole.l_whence = SEEK_SET;
    return net::uninterrupted([&] { return ::fcntl(fd, F_OFD_SETLKW, &whole); }) == 0;
}

/// Replaces a file of the new name. If there is no file of the old name, there is nothing to do.
/// Without flags, glibc's renameat2() calls renameat(2), which the sandbox does not allow.
std::error_code rename_if_there(const std::string& from, const std::string& to) noexcept {
    const auto done = ::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), 0U);
    return done == 0 || errno == ENOENT ? std::error_code{} : last_error();
}

bool is_file(std::string_view path) { return LogDestination::of(path).is_file(); }

std::int64_t day_of(std::int64_t unix_seconds) noexcept { return unix_seconds / 86'400; }

}  // namespace

LogRotation::LogRotation(const AccessLogOptions& options, LogAmongForks* forks)
    : path_{options.path},
      bytes_max_{is_file(path_) ? options.rotate_bytes : 0},
      is_daily_{is_file(path_) && options.rotate_daily},
      keep_{std::max(options.rotate_keep, 1U)},
      forks_{forks} {}

std::expected<bool, std::error_code> LogRotation::prepare(LogFile& file, std::size_t bytes,
                                                          std::int64_t unix_seconds) const {
    bool is_new = false;
    bool was_due = false;
    for (;;) {
        // Only the holder of the lock renames the file, or writes to it.
        if (!lock(file.fd(), F_WRLCK)) return std::unexpected{last_error()};
        if (!file.has_its_path()) {  // renamed below, by another process, or by a program
            if (const auto error = file.reopen()) return std::unexpected{error};
            is_new = true;
        } else if (was_due || !is_due(file, bytes, unix_seconds)) {
            return is_new;
        } else {
            if (const auto error = shift()) return std::unexpected{error};
            was_due = true;
        }
    }
}

void LogRotation::release(const LogFile& file) noexcept { lock(file.fd(), F_UNLCK); }

/// A file of an earlier day was written last on that day.
bool LogRotation::is_due(const LogFile& file, std::size_t bytes, std::int64_t unix_seconds) const {
    struct stat status{};
    if (::fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return false;
    if (is_daily_ && day_of(status.st_mtim.tv_sec) < day_of(unix_seconds)) return true;
    return bytes_max_ != 0 && static_cast<std::uint64_t>(status.st_size) + bytes > bytes_max_;
}

std::error_code LogRotation::shift() const {
    for (unsigned number = keep_; number > 0; --number) {
        const auto from = number > 1 ? path_ + "." + std::to_string(number - 1) : path_;
        if (const auto error = rename_if_there(from, path_ + "." + std::to_string(number)))
            return error;
    }
    return {};
}

std::string LogRotation::complaint(std::error_code error) {
    return " cannot be rotated: " + error.message() + "; still writing to the same file";
}

bool LogRotation::is_news(bool failed) noexcept {
    const bool before = forks_ ? forks_->note_rotation(failed) : std::exchange(failing_, failed);
    return failed && !before;
}

}  // namespace weir::server
