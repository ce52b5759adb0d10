#pragma once

#include <string>

namespace weir::net {

/// True for file systems on which inotify(7) reports changes by this machine only, and also if the
/// file system is unknown because of an error.
bool is_shared_with_other_machines(int fd) noexcept;
/// Does the same for the file or folder at `path`.
bool is_shared_with_other_machines(const std::string& path) noexcept;

}  // namespace weir::net
