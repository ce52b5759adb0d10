#pragma once

#include <sys/types.h>

#include <string_view>

#include "net/unique_fd.h"

/// Writes to standard streams, which other processes share, and whose reader may have stopped.
namespace weir::server {

/// Opens a pipe or a terminal again, in a mode that never blocks: the mode of the inherited
/// descriptor is shared with other processes. Empty for anything else, and if the system refuses.
net::UniqueFd reopen_without_blocking(int fd) noexcept;

/// Writes what is taken at once, like write(2) without blocking. A pipe takes up to PIPE_BUF bytes
/// whole or not at all (EAGAIN). Only a file on a disk that hangs can block it. No SIGPIPE from a
/// socket.
ssize_t write_at_once(int fd, std::string_view bytes) noexcept;

}  // namespace weir::server
