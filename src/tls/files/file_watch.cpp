#include "tls/files/file_watch.h"

#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

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

void FileWatch::watch(const std::vector<std::string>& paths) {
    paths_ = paths;
    seen_ = stamps();
    std::set<int> wanted;
    for (const std::string& path : paths) {
        const int watch =
            reports_ ? ::inotify_add_watch(reports_.get(), folder_of(path).c_str(), changes) : -1;
        if (watch >= 0) wanted.insert(watch);
    }
    for (const int old : watches_)
        if (!wanted.contains(old)) ::inotify_rm_watch(reports_.get(), old);
    watches_.assign(wanted.begin(), wanted.end());
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
    return has_rested && std::exchange(seen_, stamps()) != seen_;
}

/// What they say does not matter: the files are looked at.
bool FileWatch::has_reports() const noexcept {
    alignas(inotify_event) std::array<char, 4096> bytes;
    bool has_any = false;
    while (reports_ && ::read(reports_.get(), bytes.data(), bytes.size()) > 0) has_any = true;
    return has_any;
}

void FileWatch::wait_for_rest() const noexcept {
    const itimerspec once{.it_interval = {}, .it_value = {0, rest_nanoseconds}};
    ::timerfd_settime(rest_.get(), 0, &once, nullptr);
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
