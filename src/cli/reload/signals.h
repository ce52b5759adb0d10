#pragma once

#include <functional>

#include "net/event_fd.h"
#include "weir/server/server.h"

namespace weir::cli {

/// Handles the process's signals from now on, even if the parent process has blocked them. Signals
/// that arrive before there is a server are kept for it. A second SIGTERM or SIGINT without a
/// server ends the process at once. SIGPIPE is ignored, because the reader of standard output may
/// close it while the server runs. To call first in main().
void take_signals();

/// The requests of the signals so far.
struct SignalsSoFar {
    int stops = 0;
    bool reload = false;
    bool upgrade = false;
    bool outlives_terminal = false;  // SIGHUP was ignored at the start
};
/// For a process that reads its signals by itself from now on: blocks them, so that later ones wait
/// (sigprocmask(2)).
SignalsSoFar hold_signals() noexcept;

/// Passes the process's signals to a server for as long as this object lives, including earlier
/// signals. SIGTERM and SIGINT stop the server gracefully; a second one stops it at once. SIGHUP
/// makes the server read its certificates again, and replace its workers or open its log again;
/// SIGUSR1 does the same without the certificates. Under a supervisor, SIGINT and SIGHUP go to the
/// supervisor, its orders come as SIGUSR2, and SIGTERM stops gracefully, however often it comes.
/// Without one, SIGUSR2 has no effect. Only one object may exist at a time.
class SignalHandlers {
   public:
    /// When a signal first stops the server, calls `before`, and then signals `stopping`. With
    /// `leave`, the first signal calls only this function, which has stop() called later, unless
    /// another process serves already. Both must be async-signal-safe. `server` and `stopping` must
    /// outlive this object. Call Server::listen() before.
    SignalHandlers(server::Server& server, const net::EventFd& stopping,
                   std::function<void()> before, std::function<void()> leave);
    /// Later signals have no effect.
    ~SignalHandlers();
    SignalHandlers(const SignalHandlers&) = delete;
    SignalHandlers& operator=(const SignalHandlers&) = delete;

    /// Stops the server after `leave`. Async-signal-safe.
    static void stop() noexcept;

   private:
    const std::function<void()> before_;
    const std::function<void()> leave_;
};

}  // namespace weir::cli
