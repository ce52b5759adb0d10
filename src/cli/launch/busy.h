#pragma once

#include <chrono>

namespace weir::cli {

/// Computes until the calling thread has used this much CPU time. If threads share a core, each
/// thread takes longer, as with real work.
void keep_busy(std::chrono::microseconds amount);

}  // namespace weir::cli
