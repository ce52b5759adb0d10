#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "site/root/earlier_roots.h"
#include "site/root/root_directory.h"
#include "weir/site/site.h"

namespace weir::site {

/// The root as a path, which can lead to another directory later, because a build tool made the
/// directory again or a deployment exchanged a link. Thread-safe.
class RootPath {
   public:
    /// The options for opening the root.
    struct Choice {
        Symlinks symlinks = Symlinks::inside_root;
        std::shared_ptr<const Withheld> withheld{};
        std::string file{};                      // see Options
        bool follows_file = false;               // the root is the directory in which the file is
        std::chrono::milliseconds keeps_old{0};  // how long earlier() has a directory
    };
    /// The error is a sentence.
    static std::expected<std::unique_ptr<RootPath>, std::string> open(const std::string& path,
                                                                      Choice choice);

    /// The directory to which the path led when it was last followed; null if it led to no
    /// directory that can be read. A request uses one such directory only, and responses under way
    /// keep theirs.
    std::shared_ptr<const RootDirectory> now() const;

    /// The directories to which the path led before, the newest one first.
    std::vector<std::shared_ptr<const RootDirectory>> earlier() const;

    enum class Found : std::uint8_t {
        same,     // as before
        other,    // another directory, or none
        unknown,  // the system failed: now() stays as it is, and the path is to be followed again
    };
    /// Follows the path. If it leads to another directory than before, or to none, calls
    /// `before_other`, and then shows the new directory to requests. `before_other` must not call
    /// this object. Never throws, even without memory. Of several threads, one at a time follows the
    /// path, so that no directory of before takes the place of a newer one.
    Found follow(const std::function<void()>& before_other = [] {}) noexcept;
    /// True if the path must be followed again. Costs one stat(2).
    bool leads_elsewhere() const noexcept;

    /// The path of the root, or of the file if that is followed; absolute if possible.
    const std::string& path() const noexcept { return path_; }

    // Held around fork(2).
    void lock() {
        following_.lock();
        mutex_.lock();
    }
    void unlock() {
        mutex_.unlock();
        following_.unlock();
    }

   private:
    RootPath(std::string path, Choice choice)
        : path_{std::move(path)}, choice_{std::move(choice)}, earlier_{choice_.keeps_old} {}

    std::expected<RootDirectory, std::error_code> open_directory() const;
    bool take(std::shared_ptr<const RootDirectory> found,
              const std::function<void()>& before_other);

    const std::string path_;
    const Choice choice_;
    std::mutex following_;
    std::error_code why_gone_{};  // the last reason that was told
    mutable std::mutex mutex_;
    std::shared_ptr<const RootDirectory> now_;
    mutable EarlierRoots earlier_;
};

}  // namespace weir::site
