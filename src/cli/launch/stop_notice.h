#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "net/event_fd.h"
#include "weir/server/server.h"

namespace weir::cli {

/// "finishing 3 requests, for 10 s at most; press Ctrl-C again to end at once". The number is left
/// out if not all requests are known. Empty if nothing is under way.
std::string stop_sentence(server::Server::Finishing finishing, std::chrono::milliseconds timeout,
                          bool on_terminal);

/// When a signal stops the server, prints on standard output the requests that the server still
/// finishes, and the time limit. Prints nothing if nothing is under way. The notice never blocks
/// the stop, even if standard output is not read.
class StopNotice {
   public:
    /// `server` must outlive the notice. Throws std::system_error if the system cannot start a
    /// thread.
    StopNotice(const server::Server& server, std::chrono::milliseconds timeout);
    /// To call when the server has stopped: nothing is printed afterwards.
    ~StopNotice();
    StopNotice(const StopNotice&) = delete;
    StopNotice& operator=(const StopNotice&) = delete;

    /// The event to signal when the server begins to stop.
    const net::EventFd& stopping() const noexcept { return stopping_; }

   private:
    void run() noexcept;
    bool has_stopped(int wait_milliseconds) const;
    server::Server::Finishing look() const;

    const server::Server& server_;
    const std::chrono::milliseconds timeout_;
    net::EventFd stopping_;
    net::EventFd stopped_;
    std::thread thread_;  // last, because the thread uses all members above
};

}  // namespace weir::cli
