#pragma once

#include <expected>
#include <string>
#include <system_error>

#include "net/unique_fd.h"
#include "site/files/file_state.h"
#include "weir/site/site.h"

namespace weir::site {

/// The one way to files: everything is opened by openat2(2) beneath a directory that was opened at
/// the start, so that neither `..` nor a link nor a rename under way leads out of it.
///
/// Paths are relative and normal ("a/b.css"); the empty one is the root. Errors: ENOENT, ENOTDIR,
/// ENAMETOOLONG, EXDEV and ELOOP (led out of the root, or a link where none is followed), EACCES,
/// EMFILE and the like.
class RootDirectory {
   public:
    static std::expected<RootDirectory, std::string> open(const std::string& path,
                                                          Symlinks symlinks);

    struct Found {
        net::UniqueFd fd;  // O_PATH: finds out what is there without touching it
        FileState state;
        bool through_link = false;
    };
    /// Never blocks on what it finds, be it a FIFO or a device.
    std::expected<Found, std::error_code> look(const std::string& path) const;

    struct Opened {
        net::UniqueFd fd;
        FileState state;
    };
    /// A regular file for reading; ENOENT where it is anything else.
    std::expected<Opened, std::error_code> open_file(const std::string& path) const;
    /// A directory for reading.
    std::expected<net::UniqueFd, std::error_code> open_directory(const std::string& path) const;
    /// A directory for watching; ELOOP where a link leads there.
    std::expected<net::UniqueFd, std::error_code> find_directory(const std::string& path) const;

   private:
    RootDirectory(net::UniqueFd fd, Symlinks symlinks) : fd_{std::move(fd)}, symlinks_{symlinks} {}

    std::expected<net::UniqueFd, std::error_code> open_beneath(const std::string& path,
                                                               unsigned flags, bool links) const;

    net::UniqueFd fd_;
    Symlinks symlinks_;
};

/// Of an open descriptor.
std::expected<FileState, std::error_code> file_state(int fd);

}  // namespace weir::site
