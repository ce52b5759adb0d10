#pragma once

#include <string>
#include <string_view>

#include "net/unique_fd.h"

namespace weir::supervisor {

/// Makes a file in memory with this text (memfd_create(2)). The file never changes
/// afterwards (F_ADD_SEALS, fcntl(2)), so a process with a copy of the descriptor reads this text.
/// The name is for /proc/PID/fd alone. Empty: errno says why.
net::UniqueFd make_memory_file(const char* name, std::string_view text);

/// Returns the whole text, without moving the position that all copies of the descriptor share.
std::string read_memory_file(int fd);

}  // namespace weir::supervisor
