#pragma once

#include <memory>
#include <utility>

#include "engines/contract/host.h"
#include "net/waiting/timer_fd.h"
#include "server/loop_watch.h"
#include "weir/server/options.h"

namespace weir::server {

/// Calls Options::alive at its interval, unless a loop of the engine does not answer.
class Heartbeat {
   public:
    /// `options` must outlive this object. Throws std::system_error if the system has no descriptor
    /// left.
    explicit Heartbeat(const Options& options) : options_{options} {}

    /// To call before the engine runs; this object must outlive the run.
    void begin(engines::Host& host) {
        host.loop_opened = [this](std::weak_ptr<http::Postbox> loop) {
            watch_.add(std::move(loop));
        };
        timer_.set(options_.alive_every);
    }

    /// Readable when beat() is due.
    int fd() const noexcept { return timer_.fd(); }
    void beat() {
        timer_.clear();
        timer_.set(options_.alive_every);
        if (watch_.ask()) options_.alive();
    }

   private:
    const Options& options_;
    LoopWatch watch_;
    net::TimerFd timer_;
};

}  // namespace weir::server
