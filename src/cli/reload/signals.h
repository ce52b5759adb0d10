#pragma once

#include <functional>

#include "net/event_fd.h"
#include "weir/server/server.h"

namespace weir::cli {

/// Handles the process's signals from now on, even if the parent process left them blocked. Signals
/// that arrive before there is a server are kept for it. A second SIGTERM or SIGINT without a
/// server ends the process at once. SIGPIPE is ignored, because a reader of standard output may
/// close it while the server runs. Call it first in main().
void take_signals();

/// What the signals so far asked for.
struct SignalsSoFar {
    int stops = 0;
    bool reload = false;
    bool outlives_terminal = false;  // SIGHUP was ignored from the start
};
/// For a process that reads its signals by itself from now on: later ones wait (sigprocmask(2)).
SignalsSoFar hold_signals() noexcept;

/// Passes the process's signals to a server for as long as this object lives, including those that
/// came earlier. SIGTERM and SIGINT stop the server gracefully; a second one stops it at once.
/// SIGHUP has the certificates read again, and the workers replaced or the log opened again; SIGUSR1
/// does without the certificates. Under a supervisor, SIGINT and SIGHUP are its own, and its orders
/// come as SIGUSR2.
/// Only one object may exist at a time.
class SignalHandlers {
   public:
    /// When a signal first stops the server, calls `before`, which must be async-signal-safe, and
    /// signals `stopping` after. `server` and `stopping` must outlive this object. Call
    /// Server::listen() before.
    SignalHandlers(server::Server& server, const net::EventFd& stopping,
                   std::function<void()> before = {});
    /// Later signals have no effect.
    ~SignalHandlers();
    SignalHandlers(const SignalHandlers&) = delete;
    SignalHandlers& operator=(const SignalHandlers&) = delete;

   private:
    const std::function<void()> before_;
};

}  // namespace weir::cli
