#pragma once

#include <optional>
#include <string_view>

#include "cli/serve/serve_options.h"
#include "supervisor/link.h"

namespace weir::cli {

/// Finds out whether a supervisor has started this process. What the process writes to standard error
/// from then on reaches the supervisor, too, until the server serves. Call it first in main().
void attach_to_supervisor();

/// The way to the supervisor of this process; null if it has none.
supervisor::Link* supervisor_link() noexcept;

/// True for a server that is the first with its supervisor, or has none. It says to a user what a
/// server says when it starts.
bool is_first_generation() noexcept;

/// Runs the server under a supervisor if its options can be read again, and returns an exit code.
/// Otherwise this process is to serve: returns nothing, and has put the sockets that it was given into
/// the options.
std::optional<int> supervise(std::string_view command, ServeOptions& options);

}  // namespace weir::cli
