#include "site/files/watcher.h"

#include <linux/magic.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <system_error>

#include "base/troubles.h"
#include "net/clock.h"
#include "site/path/paths.h"
#include "weir/base/now.h"

namespace weir::site {

namespace {

constexpr std::uint32_t reported = IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                   IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF |
                                   IN_ONLYDIR;

/// True for file systems on which inotify reports only changes by this machine, not by others.
bool is_shared_with_other_machines(int fd) noexcept {
    constexpr std::array<std::uint32_t, 10> kinds = {
        NFS_SUPER_MAGIC, SMB_SUPER_MAGIC,  SMB2_SUPER_MAGIC, CIFS_SUPER_MAGIC, FUSE_SUPER_MAGIC,
        V9FS_MAGIC,      CEPH_SUPER_MAGIC, AFS_SUPER_MAGIC,  AFS_FS_MAGIC,
        0x786f4256,  // vboxsf
    };
    struct statfs status;
    if (::fstatfs(fd, &status) != 0) return true;
    return std::ranges::find(kinds, static_cast<std::uint32_t>(status.f_type)) != kinds.end();
}

Watcher::Watch used_up() noexcept {
    troubles().note(Trouble::watches);
    return Watcher::Watch::impossible;
}

}  // namespace

Watcher::Watcher(const RootDirectory& root, Cache& cache, const CacheOptions& options)
    : root_{root},
      cache_{cache},
      watches_max_{options.watches_max},
      revalidate_{options.revalidate} {
    if (watches_max_ > 0 && options.watches_from_start) start();
}

void Watcher::start() try {
    inotify_.reset(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (!inotify_) return troubles().note(Trouble::watches);
    stop_.emplace();
    // Signals are for the threads that the server started for them.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    running_ = ::pthread_create(&thread_, nullptr, run, this) == 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
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
    watches_.clear();
    directories_.clear();
}

Watcher::Watch Watcher::watch(const std::string& directory) {
    const std::lock_guard lock{mutex_};
    if (!running()) return Watch::impossible;
    if (watches_.contains(directory)) return Watch::reports;
    const auto fd = root_.find_directory(directory);
    if (!fd && fd.error().value() == ENOENT) return Watch::reports;
    if (!fd) return is_fact(fd.error()) ? Watch::impossible : Watch::failed;
    if (is_shared_with_other_machines(fd->get())) return Watch::impossible;
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
    } catch (const std::bad_alloc&) {  // it must not be watched under a name that is not known
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
    std::array<pollfd, 2> awaited{{{.fd = inotify_.get(), .events = POLLIN, .revents = 0},
                                   {.fd = stop_->fd(), .events = POLLIN, .revents = 0}}};
    alignas(inotify_event) std::array<char, 16 * 1024> buffer;
    const auto after = [this](Instant now) {
        return revalidate_ == revalidate_.zero() ? never : now + revalidate_;
    };
    Instant now = net::read_clock().instant;
    Instant check_at = after(now);
    for (;;) {
        const int ready =
            ::poll(awaited.data(), awaited.size(), net::wait_milliseconds(check_at, now));
        now = net::read_clock().instant;
        if (now >= check_at) {
            cache_.doubt_all();
            check_at = after(now);
        }
        if (ready <= 0) continue;
        if (awaited[1].revents != 0) return;
        const ssize_t size = ::read(inotify_.get(), buffer.data(), buffer.size());
        for (ssize_t at = 0; at < size;) {
            const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
            take(*event);
            at += static_cast<ssize_t>(sizeof *event + event->len);
        }
    }
}

void Watcher::take(const inotify_event& event) noexcept {
    const std::lock_guard lock{mutex_};
    try {
        apply(event);
    } catch (const std::bad_alloc&) {
        forget_all();
    }
}

/// Nothing is known any more: neither what was changed, nor which names the watches have.
void Watcher::forget_all() noexcept {
    for (const auto& [id, directory] : directories_) ::inotify_rm_watch(inotify_.get(), id);
    directories_.clear();
    watches_.clear();
    cache_.all_changed();
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
    // A different directory may have this name now. Remove the watches, or changes of the old one
    // would be reported under the name.
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
