#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "live/feed.h"
#include "live/news.h"
#include "live/version.h"
#include "net/event_fd.h"
#include "net/unique_fd.h"
#include "site/root/root_path.h"
#include "site/root/root_watch.h"
#include "weir/base/now.h"

namespace weir::live {

/// What is watched, and how.
struct Watched {
    std::string root;  // absolute
    site::RootPath::Choice choice{};
    bool dotfiles = false;
    /// Made early: a process that has restricted itself can't open what it needs. Nothing: made late.
    std::optional<site::RootWatch> root_watch{};
};

/// Reads a tree whenever inotify(7) reports that something happened in it. What happened is not asked
/// for: two readings tell. A folder that can't be watched, for want of watches or because other machines
/// write to it, has the tree read every two seconds.
class Watch {
   public:
    /// Starts the thread: it tells the news of each other version, and wakes the feed. Throws
    /// std::system_error if the system has no thread or descriptor left.
    Watch(Watched watched, std::shared_ptr<News> news, std::shared_ptr<const Feed> feed);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// In a process that was forked, where the thread is missing: closes what only the thread uses. The
    /// object can't be destroyed there.
    void abandon() noexcept;

   private:
    void run();
    void look(Instant now) noexcept;
    void read_and_watch();
    void watch(const std::string& folder);
    void miss_changes() noexcept;
    bool take_reports() noexcept;
    void follow_root() noexcept;
    void note_change(Instant now) noexcept;

    Watched watched_;
    std::unique_ptr<site::RootPath> root_;  // null until the path leads to a folder
    const std::shared_ptr<News> news_;
    const std::shared_ptr<const Feed> feed_;
    net::UniqueFd inotify_;
    std::optional<Version> seen_;  // nothing before the first reading
    std::set<int> watches_;
    std::set<int> kept_;          // of those, in the reading under way
    bool sees_all_ = true;        // every change is reported
    bool sees_root_ = true;       // the same of the root's path
    bool has_told_ = false;       // that folders can't be watched
    Instant look_at_{};           // the tree is read at the latest then
    Instant changed_by_ = never;  // the first change that was not looked at, and the longest wait
    net::EventFd end_;
    std::thread thread_;  // last: it uses what is above
};

}  // namespace weir::live
