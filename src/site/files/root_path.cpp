#include "site/files/root_path.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "net/system/system_limits.h"

namespace weir::site {

namespace {

std::string why_not(const std::string& path, const std::error_code& error) {
    // There is no fallback: a second way to resolve paths would have to be just as safe.
    if (error.value() == ENOSYS || error.value() == EPERM)
        return "cannot serve files: this system refuses openat2(2), which keeps requests inside the "
               "root; Linux 5.6 or later has it, unless a seccomp filter takes it away";
    return net::with_limit("cannot serve '" + path + "'", error) + ": " + error.message();
}

/// The path from "/", as long as it leads to the same directory: in a chroot(2), the working directory
/// may have none.
std::string absolute(const std::string& path, const RootDirectory& root) {
    std::error_code error;
    std::string found = std::filesystem::absolute(path, error).string();
    const auto there = RootDirectory::open(found, Symlinks::none);
    return !error && there && there->is(root) ? found : path;
}

}  // namespace

std::expected<std::unique_ptr<RootPath>, std::string> RootPath::open(
    const std::string& path, Symlinks symlinks, std::shared_ptr<const Withheld> withheld) {
    auto root = RootDirectory::open(path, symlinks, withheld);
    if (!root) return std::unexpected{why_not(path, root.error())};
    std::string from_above = absolute(path, *root);
    return std::unique_ptr<RootPath>{
        new RootPath{std::move(from_above), symlinks, std::move(withheld), std::move(*root)}};
}

RootPath::RootPath(std::string path, Symlinks symlinks, std::shared_ptr<const Withheld> withheld,
                   RootDirectory first)
    : path_{std::move(path)},
      symlinks_{symlinks},
      withheld_{std::move(withheld)},
      now_{std::make_shared<const RootDirectory>(std::move(first))} {}

std::shared_ptr<const RootDirectory> RootPath::now() const {
    const std::lock_guard lock{mutex_};
    return now_;
}

RootPath::Found RootPath::follow() noexcept try {
    auto found = RootDirectory::open(path_, symlinks_, withheld_);
    if (found) {
        // While it is open, no other directory has its inode.
        return take(std::make_shared<const RootDirectory>(std::move(*found))) ? Found::other
                                                                              : Found::same;
    }
    if (!is_fact(found.error())) return Found::unknown;
    return take(nullptr) ? Found::other : Found::same;
} catch (const std::bad_alloc&) {
    return Found::unknown;
}

bool RootPath::leads_elsewhere() const noexcept {
    struct stat status;
    const bool leads = ::stat(path_.c_str(), &status) == 0;
    const auto before = now();
    return leads ? !before || !before->is(FileState::from(status)) : before != nullptr;
}

bool RootPath::take(std::shared_ptr<const RootDirectory> found) {
    const std::lock_guard lock{mutex_};
    const bool is_same = found && now_ ? found->is(*now_) : !found && !now_;
    if (is_same) return false;
    if (!found) troubles().note(Trouble::root);
    now_.swap(found);
    return true;
}

}  // namespace weir::site
