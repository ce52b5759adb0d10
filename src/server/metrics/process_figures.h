#pragma once

#include <sys/types.h>

#include <cstdint>

namespace weir::server {

/// Figures of a process and of its children, together.
struct ProcessFigures {
    double cpu_seconds = 0;
    std::uint64_t resident_bytes = 0;  // pages that several of them share count for each
    std::uint64_t virtual_bytes = 0;
    std::uint64_t open_files = 0;
    std::uint64_t open_files_max = 0;  // of the process itself
    std::uint64_t threads = 0;
};

/// Reads them from proc(5). Those that can't be read are 0.
ProcessFigures figures_of(pid_t process);

}  // namespace weir::server
