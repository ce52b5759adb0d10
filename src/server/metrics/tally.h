#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "engines/contract/engine_figures.h"

namespace weir::server {

/// The connections of a server, in memory that its processes share.
struct Tally {
    std::atomic<std::uint64_t> opened{0};  // since the start
    std::atomic<std::uint64_t> closed{0};
};

/// The figures of one generation of a server: of a process, and of those that it forks.
struct GenerationTally {
    std::atomic<pid_t> process{0};  // 0: the place is free
    Tally connections;
    std::atomic<std::uint64_t> active{0};  // as in a slot; of the threads that have none
    engines::EngineFigures engine;
};

}  // namespace weir::server
