#pragma once

#include <optional>
#include <string_view>

#include "cli/options/launch_options.h"
#include "supervisor/link.h"

namespace weir::cli {

/// Finds out whether a supervisor has started this process. What the process writes to standard error
/// from then on reaches the supervisor, too, until the server serves. Call it first in main().
void attach_to_supervisor();

/// The way to the supervisor of this process; null if it has none.
supervisor::Link* supervisor_link() noexcept;

/// Runs the server under a supervisor if the options or systemd ask for it, and returns an exit code.
/// Otherwise the process is to serve: returns nothing, and has put the sockets that it was given
/// into the options.
std::optional<int> supervise(std::string_view command, LaunchOptions& options);

}  // namespace weir::cli
