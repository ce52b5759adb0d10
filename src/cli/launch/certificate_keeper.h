#pragma once

#include <string>

#include "acme/settings/settings.h"
#include "net/unique_fd.h"

namespace weir::cli {

/// A process that gets certificates of a CA and renews them. It ends when this one ends, and is
/// started again if it dies. It is outside of the sandbox: it looks names up, connects, and has the
/// key of the account, which the server does not need.
class CertificateKeeper {
   public:
    /// Starts the process, unless there are no hosts. To call in a process with one thread, before
    /// it enters the sandbox. Returns the reason why it cannot, as a sentence; empty if it can.
    std::string start(const acme::Settings& settings);
    /// The server serves, so a CA may ask it.
    void begin();

   private:
    net::UniqueFd go_;  // a pipe(7) to the process
};

}  // namespace weir::cli
