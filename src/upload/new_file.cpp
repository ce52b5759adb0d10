#include "upload/new_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/random_boundary.h"
#include "net/write_all.h"
#include "upload/faults.h"

namespace weir::upload {
namespace {

/// The owner may write, and all may read as far as the umask allows; the file is not executable.
constexpr mode_t mode = 0644;

/// Limits the time of the last sync: for a file of many gigabytes, it could take longer than a
/// response may.
constexpr std::size_t unsynced_max = 64 * 1024 * 1024;

std::string random_name() { return std::string{NewFile::hidden_prefix} + random_boundary(); }

/// Ends with a NUL. Allocates no memory, which may be missing when a file is given its name.
std::array<char, 32> path_of(const net::UniqueFd& fd) noexcept {
    std::array<char, 32> path{"/proc/self/fd/"};
    std::to_chars(path.data() + std::strlen(path.data()), path.data() + path.size() - 1, fd.get());
    return path;
}

/// Without flags, glibc's renameat2() calls renameat(2), which the sandbox would have to allow,
/// too.
int rename_in(int folder, const std::string& from, const std::string& to, unsigned flags) noexcept {
    return static_cast<int>(
        ::syscall(SYS_renameat2, folder, from.c_str(), folder, to.c_str(), flags));
}

/// False without /proc: there a file without a name could never get one (open(2), O_TMPFILE).
bool can_be_linked(const net::UniqueFd& fd) {
    struct stat status{};
    return ::fstatat(AT_FDCWD, path_of(fd).data(), &status, 0) == 0;
}

}  // namespace

NewFile NewFile::in(int folder) {
    NewFile file;
    file.folder_ = folder;
    file.fd_.reset(::openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
    if (file.fd_ && can_be_linked(file.fd_)) return file;
    // EOPNOTSUPP is from a file system without O_TMPFILE, the others are from a kernel before 3.11
    // (open(2)).
    if (!file.fd_ && errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)
        throw refusal_of(errno);
    return named_in(folder);
}

NewFile NewFile::named_in(int folder) {
    std::string name = random_name();
    NewFile file;
    file.folder_ = folder;
    file.fd_.reset(
        ::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file.fd_) throw refusal_of(errno);
    file.hidden_name_ = std::move(name);
    return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : fd_{std::move(other.fd_)},
      folder_{other.folder_},
      hidden_name_{std::exchange(other.hidden_name_, {})},
      unsynced_{other.unsynced_} {}

NewFile& NewFile::operator=(NewFile&& other) noexcept {
    remove_name();
    fd_ = std::move(other.fd_);
    folder_ = other.folder_;
    hidden_name_ = std::exchange(other.hidden_name_, {});
    unsynced_ = other.unsynced_;
    return *this;
}

NewFile::~NewFile() { remove_name(); }

void NewFile::write(std::string_view bytes) {
    if (!net::write_all(fd_.get(), bytes)) throw refusal_of(errno);
    unsynced_ += bytes.size();
    if (unsynced_ >= unsynced_max) sync();
}

void NewFile::sync() {
    if (::fsync(fd_.get()) != 0) throw refusal_of(errno);
    unsynced_ = 0;
}

/// linkat(2) replaces nothing, so a file that replaces another one gets a hidden name in between.
void NewFile::publish(const std::string& name, bool replaces) {
    if (hidden_name_.empty()) {
        const int error = link_as(name);
        if (error == 0) return;
        if (error != EEXIST || !replaces) throw refusal_of(error);
        std::string between = random_name();
        if (const int failed = link_as(between); failed != 0) throw refusal_of(failed);
        hidden_name_ = std::move(between);
    }
    move_to(name, replaces);
}

/// Returns the errno; 0 if the file has the name.
int NewFile::link_as(const std::string& name) const noexcept {
    const auto path = path_of(fd_);
    return ::linkat(AT_FDCWD, path.data(), folder_, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                                          : errno;
}

void NewFile::move_to(const std::string& name, bool replaces) {
    const unsigned flags = replaces ? 0 : RENAME_NOREPLACE;
    if (rename_in(folder_, hidden_name_, name, flags) == 0) {
        hidden_name_.clear();
        return;
    }
    const int error = errno;
    // EINVAL: the file system does not know the flag (rename(2)). linkat(2) replaces nothing,
    // either.
    if (error != EINVAL || replaces) throw refusal_of(error);
    if (::linkat(folder_, hidden_name_.c_str(), folder_, name.c_str(), 0) != 0)
        throw refusal_of(errno);
    remove_name();
}

void NewFile::remove_name() noexcept {
    if (!hidden_name_.empty()) ::unlinkat(folder_, hidden_name_.c_str(), 0);
    hidden_name_.clear();
}

}  // namespace weir::upload
