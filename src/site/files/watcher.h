#pragma once

#include <pthread.h>

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "net/event_fd.h"
#include "net/unique_fd.h"
#include "site/files/cache.h"
#include "site/files/root_directory.h"

struct inotify_event;

namespace weir::site {

/// Tells the cache what changes below the root, by inotify(7). A thread of its own waits for the
/// kernel's reports; a change reaches the cache within microseconds, not within the same instant.
///
/// Directories are watched, not files: few watches, and a file that is replaced is seen. What the
/// kernel does not report is never counted as watched: directories reached through links, those on
/// network file systems, and those past the limit. (Nor does it report writes through mmap(2).)
class Watcher {
   public:
    /// Without inotify there is no thread, and nothing is watched.
    Watcher(const RootDirectory& root, Cache& cache, std::size_t watches_max);
    ~Watcher();
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    /// From now on changes in the directory are reported; false where that can't be had. A
    /// directory that is not there needs no watch of its own: the one above tells when it comes.
    /// Thread-safe.
    bool watch(const std::string& directory);
    bool running() const noexcept { return running_.load(std::memory_order_relaxed); }

    // Around fork(2). The child has neither the thread nor a use for the descriptors.
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    void abandon_while_locked() noexcept;
    /// In a child that was abandoned: a thread of its own.
    void start();

   private:
    static void* run(void* self);
    void follow_events();
    void take(const inotify_event& event);
    void forget_below(const std::string& directory);

    const RootDirectory& root_;
    Cache& cache_;
    const std::size_t watches_max_;
    net::UniqueFd inotify_;
    std::optional<net::EventFd> stop_;  // for the thread
    pthread_t thread_{};
    std::atomic<bool> running_{false};
    std::mutex mutex_;  // taken before the cache's
    std::map<std::string, int, std::less<>> watches_;
    std::unordered_map<int, std::string> directories_;  // the other way around
};

}  // namespace weir::site
