#pragma once

#include "cli/launch/drain_delay.h"
#include "net/event_fd.h"
#include "weir/server/server.h"

namespace weir::cli {

/// Handles the process's signals from now on, even if the parent process left them blocked. Signals
/// that arrive before there is a server are kept for it. A second SIGTERM or SIGINT without a
/// server ends the process at once. SIGPIPE is ignored, because a reader of standard output may
/// close it while the server runs. Call it first in main(), after attach_to_supervisor(): the
/// process of a supervisor takes SIGTERM and SIGUSR1, and its orders by SIGUSR2. It ignores what a
/// terminal sends to all processes.
void take_signals();

/// What came while there was no server.
struct SignalsSoFar {
    int stops = 0;
    bool reload = false;
    bool outlives_terminal = false;  // SIGHUP was ignored from the start (nohup)
};
SignalsSoFar signals_so_far() noexcept;

/// Passes the process's signals to a server for as long as this object lives, including those that
/// came earlier. SIGTERM and SIGINT stop the server gracefully; a second one stops it at once.
/// SIGHUP makes the server replace its workers, or open its log again; SIGUSR1 opens the log again.
/// Only one object may exist at a time.
class SignalHandlers {
   public:
    /// Signals `stopping` when a signal first stops the server. Both must outlive this object. Call
    /// Server::listen() before.
    /// If there is a `delay`, the first signal begins that in place of the stop, but not if another
    /// generation serves.
    SignalHandlers(server::Server& server, const net::EventFd& stopping,
                   const DrainDelay* delay = nullptr);
    /// Later signals have no effect.
    ~SignalHandlers();
    SignalHandlers(const SignalHandlers&) = delete;
    SignalHandlers& operator=(const SignalHandlers&) = delete;
};

}  // namespace weir::cli
