#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "net/event_fd.h"
#include "net/unique_fd.h"

namespace weir::tls {

/// Reports changes of files, and of the links that lead to them. A program replaces a certificate
/// and its key in several steps, so the watch waits until no file has changed for a moment. If the
/// kernel does not report each change (a network file system, no inotify), the watch examines the
/// files once a second.
class FileWatch {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    FileWatch();

    /// Watches these files and folders, and no others. For a file, watches its folder, because
    /// another file may replace it.
    void watch(const std::vector<std::string>& paths);

    /// Makes fd() readable also when `other` is readable. Throws std::system_error.
    void watch_too(int other);

    /// This descriptor is readable when take() has work.
    int fd() const noexcept { return all_.get(); }
    /// Makes the next take() return true. Any thread may call; async-signal-safe.
    void request() const noexcept { requested_.signal(); }
    /// True if the files have changed, and have not changed again for a moment.
    bool take();

   private:
    /// The metadata of a file by which a change shows; all 0 if there is no file.
    struct Stamp {
        std::uint64_t device, inode, size;
        std::int64_t seconds, nanoseconds;
        bool operator==(const Stamp&) const = default;
    };
    static Stamp stamp_of(const std::string& path);
    std::vector<Stamp> stamps() const;
    bool watch_folder_of(const std::string& path, std::set<int>& wanted) const;
    bool has_reports() const noexcept;
    void wait_for_rest() const noexcept;

    net::UniqueFd reports_;  // inotify(7)
    net::UniqueFd rest_;     // timerfd(2): the end of the wait, or the next examination
    net::EventFd requested_;
    net::UniqueFd all_;  // epoll(7) of these three
    std::vector<int> watches_;
    std::vector<std::string> paths_;
    std::vector<Stamp> seen_;    // at the last change that take() has reported
    std::vector<Stamp> latest_;  // at the last examination, if looks_
    bool looks_ = false;         // the kernel does not report each change
};

}  // namespace weir::tls
