#pragma once

#include <chrono>
#include <thread>

#include "net/event_fd.h"
#include "weir/server/server.h"

namespace weir::cli {

/// Stops a server in two steps: it is announced first (Server::announce_stop), and comes a time later.
/// Until then the server accepts connections, and serves them.
class DrainDelay {
   public:
    /// `stopping` is signaled when the server is told to stop. Both must outlive it. Throws
    /// std::system_error if the system cannot start a thread.
    DrainDelay(server::Server& server, std::chrono::milliseconds delay,
               const net::EventFd& stopping);
    ~DrainDelay();
    DrainDelay(const DrainDelay&) = delete;
    DrainDelay& operator=(const DrainDelay&) = delete;

    /// Async-signal-safe; any number of times.
    void begin() const noexcept;

   private:
    void run() const noexcept;

    server::Server& server_;
    const std::chrono::milliseconds delay_;
    const net::EventFd& stopping_;
    net::EventFd begun_;
    net::EventFd ended_;
    std::thread thread_;  // last, because the thread uses all members above
};

}  // namespace weir::cli
