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

/// Reports changes below the root to the cache, by inotify(7), and follows the root's path if it
/// leads elsewhere. A separate thread waits for the kernel's reports. A change reaches the cache
/// within microseconds, but not at once.
///
/// The watcher watches directories, not files: this takes fewer watches, and a replaced file is
/// noticed. Directories behind links, on network file systems, or beyond the limit never count as
/// watched, because their changes may not be reported. Some changes are never reported: a write
/// through mmap(2) before the file is unmapped, a write under a name elsewhere, a mount over the
/// file. The check of the entry finds these.
class Watcher {
   public:
    /// Without inotify, starts no thread and watches nothing. Watches at most
    /// CacheOptions::watches_max directories. Every CacheOptions::revalidate, all entries of the
    /// cache are to be checked.
    Watcher(RootPath& root, Cache& cache, const CacheOptions& options);
    ~Watcher();
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    enum class Watch : std::uint8_t {
        reports,     // changes will be reported
        impossible,  // the kernel reports no changes there, or has no watch left
        failed,      // no descriptor or memory was left; the next attempt may succeed
    };
    /// Watches `directory` below `root`, the directory of the request. Fails if `root` is not the
    /// present one. A directory that does not exist needs no watch: the watch of its parent reports
    /// its creation. Thread-safe.
    Watch watch(const RootDirectory& root, const std::string& directory);
    bool running() const noexcept { return running_.load(std::memory_order_relaxed); }

    // Held around fork(2). The child has no watcher thread, and does not need the descriptors.
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
    Instant follow_at_{};  // next check of the root's path, if nothing is reported before
    pthread_t thread_{};
    std::atomic<bool> running_{false};
    std::mutex mutex_;  // lock order: before the cache's mutex
    std::map<std::string, int, std::less<>> watches_;
    std::unordered_map<int, std::string> directories_;  // the inverse of watches_
};

}  // namespace weir::site
