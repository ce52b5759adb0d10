#pragma once

#include <poll.h>

namespace weir::tests {

/// Whether `fd` is readable now, or becomes so in that time; -1: however long it takes.
inline bool is_readable(int fd, int milliseconds = 0) {
    pollfd watched{fd, POLLIN, 0};
    return ::poll(&watched, 1, milliseconds) == 1;
}

}  // namespace weir::tests
