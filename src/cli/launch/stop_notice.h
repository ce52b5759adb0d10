#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "net/event_fd.h"
#include "weir/server/server.h"

namespace weir::cli {

/// "finishing 3 requests, for 10 s at most; press Ctrl-C again to end at once". Without a number
/// where not all are known; empty where nothing is under way.
std::string stop_sentence(server::Server::Finishing finishing, std::chrono::milliseconds timeout,
                          bool on_terminal);

/// Says on standard output, when a signal stops the server, what it still finishes and for how long.
/// Where nothing is under way it says nothing. A reader that takes nothing holds nothing up.
class StopNotice {
   public:
    /// `server` outlives it. Throws std::system_error where the system has no thread left.
    StopNotice(const server::Server& server, std::chrono::milliseconds timeout);
    /// The server has stopped: nothing more is said.
    ~StopNotice();
    StopNotice(const StopNotice&) = delete;
    StopNotice& operator=(const StopNotice&) = delete;

    /// To be rung when the server is told to stop.
    const net::EventFd& stopping() const noexcept { return stopping_; }

   private:
    void run();
    bool has_stopped(int wait_milliseconds) const;
    server::Server::Finishing look() const;

    const server::Server& server_;
    const std::chrono::milliseconds timeout_;
    net::EventFd stopping_;
    net::EventFd stopped_;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace weir::cli
