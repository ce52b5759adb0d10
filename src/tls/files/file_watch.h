#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "net/event_fd.h"
#include "net/unique_fd.h"

namespace weir::tls {

/// Tells when files change, or what their names lead to. A program that replaces a certificate and
/// its key does so in several steps, so it waits until nothing has changed for a moment. Where the
/// kernel does not report each change (a network file system, no inotify), it looks at the files once
/// a second.
class FileWatch {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    FileWatch();

    /// Watches these files, and no others: the folders that they are in, since a file may be
    /// replaced. A folder is watched itself.
    void watch(const std::vector<std::string>& paths);

    /// Lets fd() be readable when `other` is, too. Throws std::system_error.
    void watch_too(int other);

    /// Readable when there is something for take() to look at.
    int fd() const noexcept { return all_.get(); }
    /// Any thread; async-signal-safe. The next take() returns true.
    void request() const noexcept { requested_.signal(); }
    /// True if the files have changed, and are at rest.
    bool take();

   private:
    /// What a file looks like from outside; all 0 if there is none.
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
    net::UniqueFd rest_;     // timerfd(2): the end of a rest, or the next look
    net::EventFd requested_;
    net::UniqueFd all_;  // epoll(7) of these three
    std::vector<int> watches_;
    std::vector<std::string> paths_;
    std::vector<Stamp> seen_;    // that take() has told of
    std::vector<Stamp> latest_;  // while it looks by itself
    bool looks_ = false;         // since the kernel does not report each change
};

}  // namespace weir::tls
