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

/// The root to watch, and the options for opening and reading it.
struct Watched {
    std::string root;  // absolute
    site::RootPath::Choice choice{};
    bool dotfiles = false;
    /// Made early, because a process that has restricted itself can't open the descriptors. Null:
    /// made late.
    std::optional<site::RootWatch> root_watch{};
};

/// Reads a tree whenever inotify(7) reports something in it. The report does not matter: two
/// readings show the change. If a folder can't be watched, for want of watches or because other
/// machines write to it, the tree is read every two seconds.
class Watch {
   public:
    /// Starts the thread, which gives each new version to the news, and wakes the feed. Throws
    /// std::system_error if the system has no thread or descriptor left.
    Watch(Watched watched, std::shared_ptr<News> news, std::shared_ptr<const Feed> feed);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Called in a forked process, where the thread is missing: closes the descriptors that only
    /// the thread uses. The object can't be destroyed there.
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
    std::set<int> kept_;          // watches of the reading under way
    bool sees_all_ = true;        // every change of a file is reported
    bool sees_root_ = true;       // every change of the root's path is reported
    bool has_told_ = false;       // the operator knows of folders without watches
    Instant look_at_{};           // deadline for the next reading of the tree
    Instant changed_by_ = never;  // the first unread change, plus the longest wait
    net::EventFd end_;
    std::thread thread_;  // the last member: it uses those above
};

}  // namespace weir::live
