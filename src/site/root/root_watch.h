#pragma once

#include <set>
#include <string>
#include <utility>

#include "net/unique_fd.h"

namespace weir::site {

/// Reports by inotify(7) that a path may lead elsewhere: a name on it, or on the links that it
/// contains, was made, removed or renamed. The kernel's mount table reports mounts (proc(5),
/// mountinfo). For one thread.
class RootWatch {
   public:
    RootWatch() noexcept;

    /// Watches each directory that `path` depends on, before the name in it is read. False if some
    /// of them can't be watched: then the caller must follow the path again and again.
    bool renew(const std::string& path);
    /// Takes the pending reports. True if one of them concerns the path.
    bool take_reports() noexcept;

    int reports_fd() const noexcept { return inotify_.get(); }  // -1 without inotify
    int mounts_fd() const noexcept { return mounts_.get(); }    // to be polled for POLLPRI

   private:
    using Name = std::pair<int, std::string>;  // a watch, and a name in its directory

    int watch(const std::string& directory) noexcept;

    net::UniqueFd inotify_;
    net::UniqueFd mounts_;
    std::set<Name> names_;
};

}  // namespace weir::site
