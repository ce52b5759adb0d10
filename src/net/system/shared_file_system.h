#pragma once

#include <string>

namespace weir::net {

/// True for file systems on which inotify(7) reports only changes by this machine, not by others, and
/// where nothing can be known.
bool is_shared_with_other_machines(int fd) noexcept;
/// Of what a path leads to.
bool is_shared_with_other_machines(const std::string& path) noexcept;

}  // namespace weir::net
