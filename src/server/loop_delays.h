#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "engines/contract/host.h"
#include "net/waiting/timer_fd.h"
#include "server/housekeeper.h"
#include "server/loop_watch.h"
#include "server/metrics/cells.h"

namespace weir::server {

/// Measures how long an event waits for a loop of the engine: asks each loop once a second, and
/// counts the time until the loop turns to the question. So the loops themselves read no clock for
/// it. A server without loops is asked nothing.
class LoopDelays {
   public:
    /// Counts in `delays`. To make before the engine runs, and to outlive the run. Throws
    /// std::system_error if the system has no descriptor left.
    LoopDelays(std::shared_ptr<Histogram> delays, engines::Host& host, Housekeeper& housekeeper)
        : watch_{std::move(delays)} {
        housekeeper.add(timer_.fd(), [this] { ask(); });
        host.loop_opened =
            [this, others = std::move(host.loop_opened)](std::weak_ptr<http::Postbox> loop) {
                if (others) others(loop);
                watch_.add(std::move(loop));
                timer_.set(interval);
            };
    }

   private:
    static constexpr std::chrono::milliseconds interval{1'000};

    void ask() {
        timer_.clear();
        timer_.set(interval);
        watch_.ask();
    }

    LoopWatch watch_;
    net::TimerFd timer_;
};

}  // namespace weir::server
