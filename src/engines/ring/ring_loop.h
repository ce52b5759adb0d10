#pragma once

#include <system_error>

#include "engines/contract/host.h"
#include "net/ring/ring.h"

namespace weir::engines {

/// The engine of io_uring.cpp, with no more of the kernel's features than those: any kernel shows
/// what an older one would do.
std::error_code run_io_uring_with(Host& host, net::Ring::Features wanted);

}  // namespace weir::engines
