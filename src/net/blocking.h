#pragma once

#include <sys/ioctl.h>

namespace weir::net {

/// Whether calls on `fd` block (O_NONBLOCK is off). Rings need blocking descriptors: an operation
/// that would have to wait fails with EAGAIN on others.
inline void set_blocking(int fd, bool blocking) noexcept {
    int not_blocking = blocking ? 0 : 1;
    ::ioctl(fd, FIONBIO, &not_blocking);
}

}  // namespace weir::net
