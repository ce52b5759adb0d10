#include "site/files/watcher.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <system_error>

#include "base/background_thread.h"
#include "base/troubles.h"
#include "net/clock.h"
#include "net/system/shared_file_system.h"
#include "site/path/paths.h"
#include "weir/base/now.h"

namespace weir::site {

namespace {

constexpr std::uint32_t reported = IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                   IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF |
                                   IN_ONLYDIR;

/// The interval of checks of the root's path if no report says that it leads elsewhere.
constexpr std::chrono::seconds look_again{1};

Watcher::Watch used_up() noexcept {
    troubles().note(Trouble::watches);
    return Watcher::Watch::impossible;
}

}  // namespace

Watcher::Watcher(RootPath& root, Cache& cache, const CacheOptions& options)
    : root_{root},
      cache_{cache},
      watches_max_{options.watches_max},
      revalidate_{options.revalidate} {
    if (watches_max_ == 0) return;
    root_watch_.emplace();  // a process that restricts itself later may not open these files
    if (options.watches_from_start) start();
}

void Watcher::start() try {
    inotify_.reset(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (!inotify_) return troubles().note(Trouble::watches);
    stop_.emplace();
    if (!root_watch_) root_watch_.emplace();
    follow_at_ = follow_root(net::read_instant());
    // The server has other threads for signals.
    const NoSignals none;
    running_ = ::pthread_create(&thread_, nullptr, run, this) == 0;
    if (!running_) troubles().note(Trouble::threads);
    if (running_) ::pthread_setname_np(thread_, "weir-watch");
} catch (const std::system_error&) {
    inotify_.reset();  // no descriptor is left, so nothing is watched
}

Watcher::~Watcher() {
    if (!running()) return;
    stop_->signal();
    ::pthread_join(thread_, nullptr);
}

void Watcher::abandon_while_locked() noexcept {
    running_ = false;
    inotify_.reset();
    stop_.reset();
    root_watch_.reset();
    watches_.clear();
    directories_.clear();
}

Watcher::Watch Watcher::watch(const RootDirectory& root, const std::string& directory) {
    const std::lock_guard lock{mutex_};
    if (!running()) return Watch::impossible;
    if (root_.now().get() != &root) return Watch::failed;
    if (watches_.contains(directory)) return Watch::reports;
    const auto fd = root.find_directory(directory);
    if (!fd && fd.error().value() == ENOENT) return Watch::reports;
    if (!fd) return is_fact(fd.error()) ? Watch::impossible : Watch::failed;
    if (net::is_shared_with_other_machines(fd->get())) return Watch::impossible;
    if (watches_.size() >= watches_max_) return used_up();

    // inotify_add_watch(2) takes no descriptor, and the path might lead elsewhere by now.
    const std::string path = "/proc/self/fd/" + std::to_string(fd->get());
    const int id = ::inotify_add_watch(inotify_.get(), path.c_str(), reported);
    if (id < 0) return errno == ENOSPC ? used_up() : Watch::failed;
    // The directory is already watched under another name: it is mounted twice, or was just
    // renamed.
    if (directories_.contains(id)) return Watch::impossible;
    try {
        directories_.emplace(id, directory);
        watches_.emplace(directory, id);
    } catch (const std::bad_alloc&) {  // no watch may have an unknown name
        ::inotify_rm_watch(inotify_.get(), id);
        directories_.erase(id);
        throw;
    }
    return Watch::reports;
}

void* Watcher::run(void* self) {
    static_cast<Watcher*>(self)->follow_events();
    return nullptr;
}

void Watcher::follow_events() {
    enum : std::size_t { below, stop, path, mounts };
    std::array<pollfd, 4> awaited{
        {{.fd = inotify_.get(), .events = POLLIN, .revents = 0},
         {.fd = stop_->fd(), .events = POLLIN, .revents = 0},
         {.fd = root_watch_->reports_fd(), .events = POLLIN, .revents = 0},
         {.fd = root_watch_->mounts_fd(), .events = POLLPRI, .revents = 0}}};
    const auto after = [this](Instant now) {
        return revalidate_ == revalidate_.zero() ? never : now + revalidate_;
    };
    Instant now = net::read_instant();
    Instant check_at = after(now);
    for (;;) {
        const int ready = ::poll(awaited.data(), awaited.size(),
                                 net::wait_milliseconds(std::min(check_at, follow_at_), now));
        now = net::read_instant();
        if (now >= check_at) {
            cache_.invalidate_watched();
            check_at = after(now);
            follow_at_ = now;
        }
        if (ready > 0 && awaited[stop].revents != 0) return;
        const bool reported_path =
            ready > 0 && awaited[path].revents != 0 && root_watch_->take_reports();
        const bool reported_mount = ready > 0 && awaited[mounts].revents != 0;
        if (reported_path || reported_mount || now >= follow_at_) follow_at_ = follow_root(now);
        if (ready > 0 && awaited[below].revents != 0) take_reports();
    }
}

/// Returns the time of the next check of the path, if nothing is reported before.
Instant Watcher::follow_root(Instant now) noexcept try {
    const bool reports_all = root_watch_->renew(root_.path());
    const std::lock_guard lock{mutex_};
    // The cache is cleared first: a request that sees the new directory must find no file of the
    // old one.
    const auto found = root_.follow([this] { cache_.all_changed(); });
    if (found == RootPath::Found::other) forget_watches();
    return reports_all && found != RootPath::Found::unknown ? never : now + look_again;
} catch (const std::bad_alloc&) {
    return now + look_again;
}

void Watcher::take_reports() noexcept {
    alignas(inotify_event) std::array<char, 16 * 1024> buffer;
    const ssize_t size = ::read(inotify_.get(), buffer.data(), buffer.size());
    for (ssize_t at = 0; at < size;) {
        const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
        take(*event);
        at += static_cast<ssize_t>(sizeof *event + event->len);
    }
}

void Watcher::take(const inotify_event& event) noexcept {
    const std::lock_guard lock{mutex_};
    try {
        apply(event);
    } catch (const std::bad_alloc&) {
        // The cache may have missed a change, and the names of the watches may be wrong.
        forget_watches();
        cache_.all_changed();
    }
}

void Watcher::forget_watches() noexcept {
    for (const auto& [id, directory] : directories_) ::inotify_rm_watch(inotify_.get(), id);
    directories_.clear();
    watches_.clear();
}

void Watcher::apply(const inotify_event& event) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) return cache_.all_changed();
    const auto found = directories_.find(event.wd);
    if (found == directories_.end()) return;  // its watch was removed

    const std::string directory = found->second;
    if ((event.mask & IN_IGNORED) != 0) {
        // The directory was deleted, or its file system was unmounted.
        watches_.erase(directory);
        directories_.erase(found);
        return cache_.changed(directory);
    }
    const bool itself = (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0;
    const std::string path = event.len > 0 ? joined(directory, event.name) : directory;
    // A different directory may have this name after a move. Remove the watches, or changes of the
    // old one would be reported under the name.
    const bool moved = (event.mask & (IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE)) != 0;
    if (itself || (moved && (event.mask & IN_ISDIR) != 0)) forget_below(path);
    cache_.changed(path);
}

void Watcher::forget_below(const std::string& directory) {
    const std::string below = directory.empty() ? "" : directory + "/";
    for (auto watch = watches_.lower_bound(directory);
         watch != watches_.end() && watch->first.starts_with(directory);) {
        if (watch->first != directory && !watch->first.starts_with(below)) {
            ++watch;  // "a-b" comes after "a"
            continue;
        }
        ::inotify_rm_watch(inotify_.get(), watch->second);
        directories_.erase(watch->second);
        watch = watches_.erase(watch);
    }
}

}  // namespace weir::site
