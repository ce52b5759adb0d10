#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/serve/serve_options.h"
#include "supervisor/link.h"

namespace weir::cli {

/// Finds out whether a supervisor has started this process. If so, the process's messages on
/// standard error also go to the supervisor, until the server serves. To call first in main().
void attach_to_supervisor();

/// Goes on as the supervisor that was this process before execve(2), and returns an exit code.
/// Otherwise returns nothing. To call first in main(): signals that wait must stay blocked.
std::optional<int> go_on_as_supervisor();

/// The connection to the supervisor of this process; null if there is none.
supervisor::Link* supervisor_link() noexcept;

/// True for the first server of a supervisor, and for a server without one. Such a server prints
/// the messages of a start.
bool is_first_generation() noexcept;

/// The secret of session tickets that the generations of a supervisor share, 32 bytes: that of the
/// generation before, or a new one. Empty without a supervisor. Throws std::system_error if the
/// system has no random numbers.
std::string shared_ticket_secret();

/// Runs the server under a supervisor if its options can be read again, and returns an exit code.
/// Otherwise this process must serve: returns nothing, and has put the sockets from the supervisor
/// into the options.
std::optional<int> supervise(std::string_view command, ServeOptions& options);

}  // namespace weir::cli
