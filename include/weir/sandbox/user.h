#pragma once

#include <sys/types.h>

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/requires_cxx23.h"

namespace weir::sandbox {

/// A user for become().
struct User {
    std::string name;
    uid_t uid = 0;
    gid_t gid = 0;
    std::vector<gid_t> groups{};  // other groups of the user
};

/// Parses "NAME" or "NAME:GROUP"; both may be numbers. Looks in /etc/passwd and /etc/group. A user
/// number that is not listed there needs a group. With a group, the user has this group only. The
/// error is one sentence.
std::expected<User, std::string> find_user(std::string_view text);

/// Changes all user and group IDs of the process, which cannot be undone. Needs root (CAP_SETUID
/// and CAP_SETGID). Call it before enter(). The error is one sentence; the process should then end,
/// because it may have changed a part of its IDs.
std::expected<void, std::string> become(const User& user);

/// Names the first path that the process cannot read: "the user www cannot read /srv/site". Empty
/// if the process can read all paths.
std::string unreadable(const std::vector<std::string>& paths, const User& user);
/// Does the same for folders in which the process must make files.
std::string unwritable(const std::vector<std::string>& folders, const User& user);

}  // namespace weir::sandbox
