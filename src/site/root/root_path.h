#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "site/root/root_directory.h"
#include "weir/site/site.h"

namespace weir::site {

/// The root as a path: it may lead to another directory tomorrow, because a build tool made it again,
/// or a deployment exchanged a link. Thread-safe.
class RootPath {
   public:
    /// What it is opened with.
    struct Choice {
        Symlinks symlinks = Symlinks::inside_root;
        std::shared_ptr<const Withheld> withheld{};
        std::string file{};         // see Options
        bool follows_file = false;  // then the directory is the one in which the file is
    };
    /// The error is a sentence.
    static std::expected<std::unique_ptr<RootPath>, std::string> open(const std::string& path,
                                                                      Choice choice);

    /// The directory to which the path led when it was last followed. Null if it led to none that can
    /// be read. A request looks at one such directory only, and answers under way keep theirs.
    std::shared_ptr<const RootDirectory> now() const;

    enum class Found : std::uint8_t {
        same,     // as before
        other,    // another directory, or none any more
        unknown,  // the system failed: now() stays as it is, and the path is to be followed again
    };
    /// Calls `before_other` if the path leads to another directory than before, and after it has returned
    /// shows that one to requests. It must not call this object. Never throws, for lack of memory neither.
    Found follow(const std::function<void()>& before_other = [] {}) noexcept;
    /// One stat(2): to be followed.
    bool leads_elsewhere() const noexcept;

    /// Absolute, if it could be made so. With the file, if that is followed.
    const std::string& path() const noexcept { return path_; }

    // Held around fork(2).
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

   private:
    RootPath(std::string path, Choice choice)
        : path_{std::move(path)}, choice_{std::move(choice)} {}

    std::expected<RootDirectory, std::error_code> open_directory() const;
    bool take(std::shared_ptr<const RootDirectory> found,
              const std::function<void()>& before_other);

    const std::string path_;
    const Choice choice_;
    mutable std::mutex mutex_;
    std::shared_ptr<const RootDirectory> now_;
};

}  // namespace weir::site
