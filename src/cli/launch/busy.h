#pragma once

#include <chrono>

namespace weir::cli {

/// Computes for so long, in the calling thread's own CPU time: where threads share a core, each
/// takes longer, as real work does.
void keep_busy(std::chrono::microseconds amount);

}  // namespace weir::cli
