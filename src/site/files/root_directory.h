#pragma once

#include <expected>
#include <functional>
#include <string>
#include <system_error>

#include "net/descriptors.h"
#include "net/unique_fd.h"
#include "site/files/file_state.h"
#include "weir/site/site.h"

namespace weir::site {

/// The error says what the path leads to: nothing, or nothing that may be served. It stays so until a
/// file, a link or a permission changes.
bool is_fact(const std::error_code& error) noexcept;

/// The only way to open files. openat2(2) resolves every path beneath a directory that was opened
/// at the start, so neither `..` nor a link nor a concurrent rename leads out of it.
///
/// Paths are relative and normalised ("a/b.css"); the empty path is the root. Errors: ENOENT,
/// ENOTDIR, ENAMETOOLONG, EXDEV and ELOOP (the path led out of the root, or through a link that is
/// not followed), EACCES, EMFILE and the like.
class RootDirectory {
   public:
    static std::expected<RootDirectory, std::string> open(const std::string& path,
                                                          Symlinks symlinks);

    /// Called when no descriptor is left: closes a file that nobody needs at the moment. False where
    /// there is none. Set once, before the first other call.
    void on_shortage(std::function<bool()> close_a_file) {
        close_a_file_ = std::move(close_a_file);
    }
    /// Takes a descriptor from the process's budget for a file that stays open. False where none is
    /// left, and no file can be closed for it.
    bool take(net::FileShare& share) const;

    struct Found {
        net::UniqueFd fd;  // O_PATH: tells what is there without opening it
        FileState state;
        bool through_link = false;
    };
    struct Missing {
        std::error_code error;
        bool through_link = false;
    };
    /// Never blocks, not even on a FIFO or a device.
    std::expected<Found, Missing> look(const std::string& path) const;

    struct Opened {
        net::UniqueFd fd;
        FileState state;
    };
    /// Opens a regular file for reading; ENOENT if it is anything else.
    std::expected<Opened, std::error_code> open_file(const std::string& path) const;
    /// Opens a directory for reading.
    std::expected<net::UniqueFd, std::error_code> open_directory(const std::string& path) const;
    /// Opens a directory for watching; ELOOP if the path leads through a link.
    std::expected<net::UniqueFd, std::error_code> find_directory(const std::string& path) const;

   private:
    RootDirectory(net::UniqueFd fd, Symlinks symlinks) : fd_{std::move(fd)}, symlinks_{symlinks} {}

    std::expected<net::UniqueFd, std::error_code> open_beneath(const std::string& path,
                                                               unsigned flags, bool links) const;

    bool close_a_file() const { return close_a_file_ && close_a_file_(); }

    net::UniqueFd fd_;
    Symlinks symlinks_;
    std::function<bool()> close_a_file_;
};

/// The state of an open descriptor.
std::expected<FileState, std::error_code> file_state(int fd);

}  // namespace weir::site
