#include "tls/files/file_watch.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "net/system/shared_file_system.h"

namespace weir::tls {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t changes =
    IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_ONLYDIR;
constexpr long rest_nanoseconds = 300'000'000;

net::UniqueFd checked(int fd, const char* call) {
    if (fd < 0) throw std::system_error{errno, std::generic_category(), call};
    return net::UniqueFd{fd};
}

void add(const net::UniqueFd& all, int fd) {
    epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
    if (::epoll_ctl(all.get(), EPOLL_CTL_ADD, fd, &event) != 0)
        throw std::system_error{errno, std::generic_category(), "epoll_ctl"};
}

std::string folder_of(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) return path;
    const auto folder = fs::path{path}.parent_path();
    return folder.empty() ? "." : folder.string();
}

/// Returns the path without links; empty if there is no file. realpath(3) makes a call that a
/// sandbox forbids.
std::string real_path(const std::string& path) {
    const net::UniqueFd fd{::open(path.c_str(), O_PATH | O_CLOEXEC)};
    std::array<char, PATH_MAX> real;
    const auto link = "/proc/self/fd/" + std::to_string(fd.get());
    const ssize_t size = fd ? ::readlinkat(AT_FDCWD, link.c_str(), real.data(), real.size()) : -1;
    return size < 0 ? std::string{} : std::string{real.data(), static_cast<std::size_t>(size)};
}

}  // namespace

FileWatch::FileWatch()
    : reports_{::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)},
      rest_{
          checked(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), "timerfd_create")},
      all_{checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")} {
    if (reports_) add(all_, reports_.get());
    add(all_, rest_.get());
    add(all_, requested_.fd());
}

/// Watches the folder of `path`, and the folder of the target if `path` is a link. False if the
/// kernel does not report every change there.
bool FileWatch::watch_folder_of(const std::string& path, std::set<int>& wanted) const {
    if (!reports_) return false;
    const auto real = real_path(path);
    bool all = true;
    for (const std::string& folder : {folder_of(path), folder_of(real.empty() ? path : real)}) {
        const int watch = ::inotify_add_watch(reports_.get(), folder.c_str(), changes);
        if (watch >= 0) wanted.insert(watch);
        all = all && watch >= 0 && !net::is_shared_with_other_machines(folder);
    }
    return all;
}

void FileWatch::watch(const std::vector<std::string>& paths) {
    paths_ = paths;
    seen_ = latest_ = stamps();
    std::set<int> wanted;
    looks_ = false;
    for (const std::string& path : paths)
        if (!watch_folder_of(path, wanted)) looks_ = true;
    for (const int old : watches_)
        if (!wanted.contains(old)) ::inotify_rm_watch(reports_.get(), old);
    watches_.assign(wanted.begin(), wanted.end());
    if (looks_) wait_for_rest();
}

void FileWatch::watch_too(int other) { add(all_, other); }

bool FileWatch::take() {
    std::uint64_t expirations = 0;
    const bool was_requested = requested_.clear();
    const bool has_rested =
        ::read(rest_.get(), &expirations, sizeof expirations) == sizeof expirations;
    const bool is_reported = has_reports();
    if (was_requested) {
        seen_ = stamps();
        return true;
    }
    if (is_reported) {
        wait_for_rest();
        return false;
    }
    if (!has_rested) return false;
    const auto now = stamps();
    if (looks_ && std::exchange(latest_, now) != now) {  // the files may change further
        wait_for_rest();
        return false;
    }
    return std::exchange(seen_, now) != seen_;
}

/// Discards the reports: their content does not matter, because take() examines the files.
bool FileWatch::has_reports() const noexcept {
    alignas(inotify_event) std::array<char, 4096> bytes;
    bool has_any = false;
    while (reports_ && ::read(reports_.get(), bytes.data(), bytes.size()) > 0) has_any = true;
    return has_any;
}

void FileWatch::wait_for_rest() const noexcept {
    const itimerspec times{.it_interval = {looks_ ? 1 : 0, 0}, .it_value = {0, rest_nanoseconds}};
    ::timerfd_settime(rest_.get(), 0, &times, nullptr);
}

FileWatch::Stamp FileWatch::stamp_of(const std::string& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::vector<FileWatch::Stamp> FileWatch::stamps() const {
    std::vector<Stamp> all;
    all.reserve(paths_.size());
    for (const std::string& path : paths_) all.push_back(stamp_of(path));
    return all;
}

}  // namespace weir::tls
