#pragma once

#include "weir/server/server.h"

namespace weir::cli {

/// For as long as it lives, the process's signals are the server's: SIGTERM and SIGINT let it
/// finish what is under way, a second one stops it at once; SIGHUP has it replace its workers, or
/// open its log again; SIGUSR1 the latter.
/// SIGPIPE is ignored: whoever reads our output may go while we serve. One at a time.
class SignalHandlers {
   public:
    explicit SignalHandlers(server::Server& server);
    /// Signals that come later do nothing any more.
    ~SignalHandlers();
    SignalHandlers(const SignalHandlers&) = delete;
    SignalHandlers& operator=(const SignalHandlers&) = delete;
};

}  // namespace weir::cli
