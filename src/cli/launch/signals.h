#pragma once

#include "net/event_fd.h"
#include "weir/server/server.h"

namespace weir::cli {

/// From now on no signal of ours ends the process in its own way, also where the parent left it
/// blocked: those that come before there is a server are kept for it. A second SIGTERM or SIGINT
/// without a server ends the process at once. SIGPIPE is ignored: a reader of our output may go
/// while we serve. Call it first in main().
void take_signals();

/// For as long as it lives, the process's signals are the server's, those that came earlier too:
/// SIGTERM and SIGINT let it finish what is under way, a second one stops it at once; SIGHUP has it
/// replace its workers, or open its log again; SIGUSR1 opens the log again. One at a time.
class SignalHandlers {
   public:
    /// `stopping` is rung when a signal first stops the server. Both outlive it. The server listens.
    SignalHandlers(server::Server& server, const net::EventFd& stopping);
    /// Later signals do nothing.
    ~SignalHandlers();
    SignalHandlers(const SignalHandlers&) = delete;
    SignalHandlers& operator=(const SignalHandlers&) = delete;
};

}  // namespace weir::cli
