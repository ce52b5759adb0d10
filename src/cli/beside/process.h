#pragma once

#include <span>

#include "net/unique_fd.h"

namespace weir::cli {

// For a process beside the server, in the order in which it calls them.

/// The signals of a service are for the server, which decides when to stop. SIGINT comes from a
/// terminal to all processes. Names the process for ps(1).
void become_process_beside(const char* name);

/// Closes all descriptors but the standard ones and these: a listening socket of the server would
/// accept connections that nobody serves. False if the system can't.
bool keep_only(std::span<const int> descriptors);

}  // namespace weir::cli
