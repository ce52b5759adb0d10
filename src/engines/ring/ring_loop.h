#pragma once

#include <system_error>

#include "engines/contract/host.h"
#include "net/ring/ring.h"

namespace weir::engines {

/// Runs the engine of io_uring.cpp with no more of the kernel's features than these: so any kernel
/// can show the behavior of an older one.
std::error_code run_io_uring_with(Host& host, net::Ring::Features wanted);

}  // namespace weir::engines
