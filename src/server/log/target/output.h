#pragma once

#include <sys/types.h>

#include <string_view>

#include "net/unique_fd.h"

/// Writes to standard streams, which other processes share, and whose readers may have stopped.
namespace weir::server {

/// Opens a pipe or a terminal again, in a mode that never blocks: the mode of the inherited
/// descriptor is shared with other processes. Returns an empty descriptor for anything else, and if
/// the system refuses.
net::UniqueFd reopen_without_blocking(int fd) noexcept;

/// Writes the bytes that the reader takes at once, like write(2) without blocking. A pipe takes up
/// to PIPE_BUF bytes whole or not at all (EAGAIN). Only a file on a disk that hangs can block the
/// call. A socket causes no SIGPIPE.
ssize_t write_at_once(int fd, std::string_view bytes) noexcept;

}  // namespace weir::server
