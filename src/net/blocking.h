#pragma once

#include <sys/ioctl.h>

namespace weir::net {

/// Whether calls on `fd` wait (O_NONBLOCK is off). Rings wait for those that do: an operation on
/// one that doesn't fails with EAGAIN instead.
inline void set_blocking(int fd, bool blocking) noexcept {
    int not_blocking = blocking ? 0 : 1;
    ::ioctl(fd, FIONBIO, &not_blocking);
}

}  // namespace weir::net
