#pragma once

#include <fcntl.h>
#include <sys/file.h>

#include <string>

#include "net/uninterrupted.h"
#include "net/unique_fd.h"

namespace weir::acme {

/// Waits for the lock of a folder (flock(2)). A file system without locks has none.
inline net::UniqueFd lock(const std::string& folder) {
    net::UniqueFd held{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (held) net::uninterrupted([&] { return ::flock(held.get(), LOCK_EX); });
    return held;
}

}  // namespace weir::acme
