#pragma once

#include <expected>
#include <string>
#include <system_error>
#include <vector>

#include "site/files/resource.h"
#include "site/files/watcher.h"
#include "site/root/root_directory.h"

namespace weir::site {

/// Examines files for a search or a load, and notes its observations: the dependencies that the result
/// depends on, and whether every change to them will be reported.
class Lookup {
   public:
    /// `root` must outlive this object.
    Lookup(const RootDirectory& root, Watcher& watcher) : root_{root}, watcher_{watcher} {}

    /// Watches the directories above `path` first, so that a change right afterwards is reported.
    std::expected<FileState, std::error_code> look(const std::string& path) {
        return look(path, false);
    }
    /// Looks at a file that may be hidden from clients.
    std::expected<FileState, std::error_code> look_even_hidden(const std::string& path) {
        return look(path, true);
    }

    const RootDirectory& root() const noexcept { return root_; }
    /// Notes the error of a file that was found but could not be opened or read.
    void note(const std::error_code& error) noexcept {
        if (!failure_ && !is_fact(error)) failure_ = error;
    }
    std::vector<FileDependency> take_dependencies() noexcept { return std::move(dependencies_); }
    bool watched() const noexcept { return watched_; }
    /// The first error that says nothing about the file: the system had no descriptor or memory, or a disk failed.
    const std::error_code& failure() const noexcept { return failure_; }
    /// True if nothing failed. Otherwise the result is good for one response at most: the next
    /// attempt may succeed.
    bool lasts() const noexcept { return !failure_ && !watch_failed_; }

   private:
    std::expected<FileState, std::error_code> look(const std::string& path, bool even_hidden);
    void watch(std::string_view directory);

    const RootDirectory& root_;
    Watcher& watcher_;
    std::vector<FileDependency> dependencies_;
    std::error_code failure_;
    bool watch_failed_ = false;
    bool watched_ = true;
};

/// Checks whether all dependencies still hold.
bool are_current(const std::vector<FileDependency>& dependencies, const RootDirectory& root);

}  // namespace weir::site
