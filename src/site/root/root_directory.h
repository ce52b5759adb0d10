#pragma once

#include <expected>
#include <memory>
#include <string>
#include <system_error>

#include "net/unique_fd.h"
#include "site/root/file_state.h"
#include "site/root/withheld.h"
#include "weir/site/site.h"

namespace weir::site {

/// True if the error is a property of the path: it leads to nothing, or to nothing that may be
/// served. The error stays the same until a file, a link or a permission changes.
bool is_fact(const std::error_code& error) noexcept;

/// The directory of the site, and the only way to open files. openat2(2) resolves every path
/// beneath its descriptor, so neither `..` nor a link nor a concurrent rename leads out of it.
///
/// Paths are relative and normalised ("a/b.css"); the empty path is the root. Errors: ENOENT (also
/// for a file that is withheld), ENOTDIR, ENAMETOOLONG, EXDEV and ELOOP (the path leads out of the
/// root, or through a link that is not followed), EACCES, EMFILE and the like.
class RootDirectory {
   public:
    /// Fails with ENOSYS or EPERM if the system refuses openat2(2).
    static std::expected<RootDirectory, std::error_code> open(
        const std::string& path, Symlinks symlinks, std::shared_ptr<const Withheld> withheld = {});
    /// True if `other` is a state of the same directory.
    bool is(const FileState& other) const noexcept {
        return state_.device == other.device && state_.inode == other.inode;
    }
    bool is(const RootDirectory& other) const noexcept {
        return is(other.state_) && file_ == other.file_;
    }

    /// The directory itself, opened with O_PATH; borrowed.
    int descriptor() const noexcept { return fd_.get(); }
    /// The name of the only file that is served; empty: all files are.
    const std::string& file() const noexcept { return file_; }
    void file(std::string name) noexcept { file_ = std::move(name); }

    /// True if Options::hidden hides the path.
    bool hides(const std::string& path) const { return withheld_ && withheld_->hides(path); }

    struct Found {
        net::UniqueFd fd;  // O_PATH: refers to the file without opening it
        FileState state;
        bool through_link = false;
    };
    struct Missing {
        std::error_code error;
        bool through_link = false;
    };
    /// Never blocks, not even on a FIFO or a device.
    std::expected<Found, Missing> look(const std::string& path) const;
    /// The same for a file that the site reads for itself: it may be hidden from clients.
    std::expected<Found, Missing> look_even_hidden(const std::string& path) const;

    struct Opened {
        net::UniqueFd fd;
        FileState state;
    };
    /// Opens a regular file for reading; ENOENT if it is anything else.
    std::expected<Opened, std::error_code> open_file(const std::string& path) const;
    std::expected<Opened, std::error_code> open_even_hidden(const std::string& path) const;
    /// Opens a directory for reading.
    std::expected<net::UniqueFd, std::error_code> open_directory(const std::string& path) const;
    /// Opens a directory for watching; ELOOP if the path leads through a link.
    std::expected<net::UniqueFd, std::error_code> find_directory(const std::string& path) const;

   private:
    RootDirectory(net::UniqueFd fd, const FileState& state, Symlinks symlinks,
                  std::shared_ptr<const Withheld> withheld)
        : fd_{std::move(fd)}, state_{state}, symlinks_{symlinks}, withheld_{std::move(withheld)} {}

    std::expected<net::UniqueFd, std::error_code> open_beneath(const std::string& path,
                                                               unsigned flags, bool links) const;
    std::expected<bool, std::error_code> withholds(const std::string& path,
                                                   const FileState& file) const;
    /// ENOENT if the file is withheld; no error if it may be served.
    std::error_code why_not(const std::string& path, const FileState& file) const;

    net::UniqueFd fd_;
    FileState state_;  // when it was opened
    Symlinks symlinks_;
    std::shared_ptr<const Withheld> withheld_;  // null: no file is withheld
    std::string file_;
};

/// The state of an open descriptor.
std::expected<FileState, std::error_code> file_state(int fd);

}  // namespace weir::site
