#pragma once

#include <set>
#include <string>
#include <utility>

#include "net/unique_fd.h"

namespace weir::site {

/// Reports that a path may lead elsewhere, by inotify(7): one of its names, or of those of the links
/// on it, was made, removed, or renamed. Mounts are reported by the kernel's table (proc(5),
/// mountinfo). For one thread.
class RootWatch {
   public:
    RootWatch() noexcept;

    /// Watches what `path` depends on now, before it looks at it. False if some of it can't be
    /// watched: then the path is to be followed again and again.
    bool renew(const std::string& path);
    /// Takes the reports that have come. True if one concerns the path.
    bool take_reports() noexcept;

    int reports_fd() const noexcept { return inotify_.get(); }  // -1: there is none
    int mounts_fd() const noexcept { return mounts_.get(); }    // to be polled for POLLPRI

   private:
    using Name = std::pair<int, std::string>;  // a watch, and a name in its directory

    int watch(const std::string& directory) noexcept;

    net::UniqueFd inotify_;
    net::UniqueFd mounts_;
    std::set<Name> names_;
};

}  // namespace weir::site
