#pragma once

#include <poll.h>

#include <chrono>
#include <vector>

#include "net/unique_fd.h"
#include "weir/base/now.h"

namespace weir::supervisor {

/// Finds out, again and again, whether a server answers: connects, says at once that nothing will
/// come, and waits for the server to close. That goes through an acceptor and a loop, with and without
/// TLS, and is no request, so that no log has it. Where the kernel deals connections out to several
/// loops, each has its turn at random.
class Watchdog {
   public:
    /// `limit`: how long the server may take to answer (WATCHDOG_USEC of systemd); 0: never looks.
    Watchdog(std::chrono::microseconds limit, Instant now) noexcept
        : pause_{std::chrono::duration_cast<std::chrono::milliseconds>(limit) / 4},
          next_{limit.count() > 0 ? now : never} {}
    /// WATCHDOG_USEC, if WATCHDOG_PID is this process or missing; 0 if there is none.
    static std::chrono::microseconds limit_from_environment();

    void watch(std::vector<pollfd>& watched) const;
    Instant next() const noexcept { return next_; }
    /// True if the server has answered since the last call. `socket` listens where to ask; -1: nobody
    /// can be asked now.
    bool look(int socket, Instant now);

   private:
    void ask(int socket);
    bool has_answered();

    std::chrono::milliseconds pause_;
    Instant next_;
    net::UniqueFd asking_{};
    bool has_said_all_ = false;
};

}  // namespace weir::supervisor
