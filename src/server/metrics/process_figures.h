#pragma once

#include <cstdint>
#include <vector>

#include "net/unique_fd.h"

namespace weir::server {

/// What the system knows of this process, from files of proc(5) that are opened before the process
/// gives up its rights to open them.
class ProcessFigures {
   public:
    ProcessFigures();

    struct Read {
        std::uint64_t resident_bytes = 0;
        std::uint64_t virtual_bytes = 0;
        std::uint64_t open_descriptors = 0;
        std::uint64_t descriptors_max = 0;
        double cpu_seconds = 0;  // with its children, those of `processes` and those that ended
        double start_unix_seconds = 0;
    };
    /// What can't be read stays 0.
    Read read(const std::vector<int>& processes);

   private:
    double read_cpu_seconds(const std::vector<int>& processes) const;
    std::uint64_t count_descriptors() const;

    net::UniqueFd memory_;       // /proc/self/statm
    net::UniqueFd times_;        // /proc/self/stat
    net::UniqueFd descriptors_;  // /proc/self/fd
    double start_unix_seconds_;
    double cpu_seconds_ =
        0;  // so far: it does not fall while a process that has ended is waited for
};

}  // namespace weir::server
