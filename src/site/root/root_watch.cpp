#include "site/root/root_watch.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "net/system/shared_file_system.h"
#include "site/path/path_walk.h"
#include "site/root/inotify_reports.h"

namespace weir::site {

namespace {

/// IN_ATTRIB: after a change of permissions, an unreadable directory may be readable.
constexpr std::uint32_t reported = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB |
                                   IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

}  // namespace

RootWatch::RootWatch() noexcept
    : inotify_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)},
      mounts_{::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)} {}

int RootWatch::watch(const std::string& directory) noexcept {
    const net::UniqueFd fd{::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (!fd || net::is_shared_with_other_machines(fd.get())) return -1;
    return ::inotify_add_watch(inotify_.get(), directory.c_str(), reported);
}

bool RootWatch::renew(const std::string& path) {
    if (!inotify_) return false;
    bool all = static_cast<bool>(mounts_);
    std::set<Name> names;
    const bool whole =
        for_each_name(path, [&](const std::string& directory, const std::string& name) {
            const int id = watch(directory);
            if (id < 0)
                all = false;
            else
                names.emplace(id, name);
        });
    names_.swap(names);
    for (const auto& [id, name] : names)
        if (const auto kept = names_.lower_bound({id, ""});
            kept == names_.end() || kept->first != id)
            ::inotify_rm_watch(inotify_.get(), id);
    return all && whole;
}

bool RootWatch::take_reports() noexcept {
    bool concerns = false;
    for_each_report(inotify_.get(), [&](const inotify_event& event, std::string_view name) {
        // A report without a name concerns the directory itself, or says that reports were lost.
        concerns = concerns || name.empty() || std::ranges::any_of(names_, [&](const Name& each) {
                       return each.first == event.wd && each.second == name;
                   });
    });
    return concerns;
}

}  // namespace weir::site
