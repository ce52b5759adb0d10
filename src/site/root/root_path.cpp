#include "site/root/root_path.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "net/clock.h"
#include "net/system/system_limits.h"
#include "site/path/path_walk.h"

namespace weir::site {

namespace {

std::string why_not(const std::string& path, const std::error_code& error) {
    // There is no fallback: a second way to resolve paths would have to be just as safe.
    if (error.value() == ENOSYS || error.value() == EPERM)
        return "cannot serve files: this system refuses openat2(2), which keeps requests inside the "
               "root; Linux 5.6 or later has it, unless a seccomp filter takes it away";
    return net::with_limit("cannot serve '" + path + "'", error) + ": " + error.message();
}

/// The absolute path if it leads to the same directory, otherwise `path`: in a chroot(2), the
/// working directory may have no absolute path.
std::string absolute(const std::string& path, const RootDirectory& root) {
    std::error_code error;
    std::string found = std::filesystem::absolute(path, error).string();
    const auto there = RootDirectory::open(found, Symlinks::none);
    return !error && there && there->is(root) ? found : path;
}

}  // namespace

std::expected<std::unique_ptr<RootPath>, std::string> RootPath::open(const std::string& path,
                                                                     Choice choice) {
    auto given = RootDirectory::open(path, choice.symlinks, choice.withheld);
    if (!given) return std::unexpected{why_not(path, given.error())};
    std::string from_above = absolute(path, *given);
    choice.follows_file = choice.follows_file && from_above.starts_with('/');
    if (choice.follows_file) from_above += "/" + choice.file;
    std::unique_ptr<RootPath> root{new RootPath{std::move(from_above), std::move(choice)}};
    auto first = root->open_directory();
    if (!first) return std::unexpected{why_not(root->path_, first.error())};
    root->now_ = std::make_shared<const RootDirectory>(std::move(*first));
    return root;
}

std::expected<RootDirectory, std::error_code> RootPath::open_directory() const {
    std::string directory = path_, file = choice_.file;
    if (choice_.follows_file) {
        auto place = place_of_file(path_);
        if (!place)
            return std::unexpected{std::make_error_code(std::errc::no_such_file_or_directory)};
        directory = std::move(place->directory);
        file = std::move(place->name);
    }
    auto root = RootDirectory::open(directory, choice_.symlinks, choice_.withheld);
    if (root) root->file(std::move(file));
    return root;
}

std::shared_ptr<const RootDirectory> RootPath::now() const {
    const std::lock_guard lock{mutex_};
    return now_;
}

std::vector<std::shared_ptr<const RootDirectory>> RootPath::earlier() const {
    const std::lock_guard lock{mutex_};
    return earlier_.at(net::read_instant());
}

RootPath::Found RootPath::follow(const std::function<void()>& before_other) noexcept try {
    const std::lock_guard lock{following_};
    auto found = open_directory();
    if (found) {
        why_gone_ = {};
        // As long as the directory is open, no other one gets its inode.
        auto opened = std::make_shared<const RootDirectory>(std::move(*found));
        return take(std::move(opened), before_other) ? Found::other : Found::same;
    }
    if (!is_fact(found.error())) return Found::unknown;
    const std::string about = path_ + ": " + found.error().message();
    const bool was_there = take(nullptr, before_other);
    if (was_there || found.error() != why_gone_) troubles().note(Trouble::root, about);
    why_gone_ = found.error();
    return was_there ? Found::other : Found::same;
} catch (const std::bad_alloc&) {
    return Found::unknown;
}

bool RootPath::leads_elsewhere() const noexcept try {
    const auto place = choice_.follows_file ? place_of_file(path_) : std::nullopt;
    struct stat status;
    const bool leads = ::stat(place ? place->directory.c_str() : path_.c_str(), &status) == 0;
    const auto before = now();
    if (!leads || !before) return leads != (before != nullptr);
    return !before->is(FileState::from(status)) || (place && place->name != before->file());
} catch (const std::bad_alloc&) {
    return true;
}

bool RootPath::take(std::shared_ptr<const RootDirectory> found,
                    const std::function<void()>& before_other) {
    const std::lock_guard lock{mutex_};
    const bool is_same = found && now_ ? found->is(*now_) : !found && !now_;
    if (is_same) return false;
    before_other();
    now_.swap(found);
    earlier_.add(std::move(found), net::read_instant());
    return true;
}

}  // namespace weir::site
