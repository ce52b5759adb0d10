#pragma once

#include <pthread.h>

#include <atomic>
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
#include "site/files/root_directory.h"

struct inotify_event;

namespace weir::site {

/// Tells the cache what changes below the root, by inotify(7). A separate thread waits for the
/// kernel's reports. A change reaches the cache within microseconds, but not at once.
///
/// It watches directories, not files: this takes fewer watches, and it notices a replaced file.
/// What the kernel does not report never counts as watched: directories behind links, directories
/// on network file systems, and directories beyond the limit. (The kernel does not report writes
/// through mmap(2) either.)
class Watcher {
   public:
    /// Without inotify it starts no thread and watches nothing.
    Watcher(const RootDirectory& root, Cache& cache, std::size_t watches_max,
            bool from_start = true);
    ~Watcher();
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    enum class Watch : std::uint8_t {
        reports,     // changes, from now on
        impossible,  // here: the kernel reports none, or has no watch left
        failed,      // this time: no descriptor or memory was left
    };
    /// A directory that does not exist needs no watch: the watch of its parent reports when it is
    /// created. Thread-safe.
    Watch watch(const std::string& directory);
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
    void take(const inotify_event& event) noexcept;
    void apply(const inotify_event& event);
    void forget_all() noexcept;
    void forget_below(const std::string& directory);

    const RootDirectory& root_;
    Cache& cache_;
    const std::size_t watches_max_;
    net::UniqueFd inotify_;
    std::optional<net::EventFd> stop_;  // ends the thread
    pthread_t thread_{};
    std::atomic<bool> running_{false};
    std::mutex mutex_;  // lock order: before the cache's mutex
    std::map<std::string, int, std::less<>> watches_;
    std::unordered_map<int, std::string> directories_;  // the inverse of watches_
};

}  // namespace weir::site
