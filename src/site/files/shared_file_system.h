#pragma once

namespace weir::site {

/// True for file systems on which inotify(7) reports only changes by this machine, not by others, and
/// where nothing can be known.
bool is_shared_with_other_machines(int fd) noexcept;

}  // namespace weir::site
