#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "net/event_fd.h"
#include "net/unique_fd.h"
#include "site/files/cache.h"
#include "site/root/root_path.h"
#include "site/root/root_watch.h"
#include "weir/base/now.h"

struct inotify_event;

namespace weir::site {

/// Tells the cache what changes below the root, by inotify(7), and follows the root's path where it
/// leads elsewhere. A separate thread waits for the kernel's reports. A change reaches the cache
/// within microseconds, but not at once.
///
/// It watches directories, not files: this takes fewer watches, and it notices a replaced file.
/// What the kernel does not report never counts as watched: directories behind links, directories
/// on network file systems, and directories beyond the limit. What the kernel does not report at all
/// (a write through mmap(2) before the file is unmapped, a write under a name elsewhere, a mount over
/// the file) is found when the entry is checked.
class Watcher {
   public:
    /// Without inotify it starts no thread and watches nothing.
    /// It watches CacheOptions::watches_max directories. Every CacheOptions::revalidate, all entries of
    /// the cache are to be checked.
    Watcher(RootPath& root, Cache& cache, const CacheOptions& options);
    ~Watcher();
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    enum class Watch : std::uint8_t {
        reports,     // changes, from now on
        impossible,  // here: the kernel reports none, or has no watch left
        failed,      // this time: no descriptor or memory was left
    };
    /// A directory that does not exist needs no watch: the watch of its parent reports when it is
    /// created. `root` is that of the request: it fails if it is not the present one. Thread-safe.
    Watch watch(const RootDirectory& root, const std::string& directory);
    bool running() const noexcept { return running_.load(std::memory_order_relaxed); }

    // Held around fork(2). The child has no watcher thread, and no use for the descriptors.
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    void abandon_while_locked() noexcept;
    /// Starts the thread. Also in a forked child, after abandon_while_locked().
    void start();

   private:
    static void* run(void* self);
    void follow_events();
    Instant follow_root(Instant now) noexcept;
    void take_reports() noexcept;
    void take(const inotify_event& event) noexcept;
    void apply(const inotify_event& event);
    void forget_watches() noexcept;
    void forget_below(const std::string& directory);

    RootPath& root_;
    Cache& cache_;
    const std::size_t watches_max_;
    const std::chrono::milliseconds revalidate_;
    net::UniqueFd inotify_;
    std::optional<net::EventFd> stop_;  // ends the thread
    std::optional<RootWatch> root_watch_;
    Instant follow_at_{};  // the root's path, if nothing is reported before
    pthread_t thread_{};
    std::atomic<bool> running_{false};
    std::mutex mutex_;  // lock order: before the cache's mutex
    std::map<std::string, int, std::less<>> watches_;
    std::unordered_map<int, std::string> directories_;  // the inverse of watches_
};

}  // namespace weir::site
