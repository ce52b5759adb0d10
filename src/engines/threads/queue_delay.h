#pragma once

#include <atomic>
#include <chrono>

#include "net/clock.h"
#include "weir/base/now.h"

namespace weir::engines {

/// Turns work away when a queue stands, by the idea of CoDel (RFC 8289): a queue that is short now
/// and then takes up bursts, and is of use. If all work has waited too long for some time, more
/// comes than can be done, and the queue only makes each piece late. Thread-safe.
class QueueDelay {
   public:
    /// 0: nothing is turned away.
    explicit QueueDelay(std::chrono::milliseconds longest) noexcept : longest_{longest} {}

    /// The time at which work enters the queue.
    Instant now() const noexcept { return longest_.count() == 0 ? Instant{} : net::read_instant(); }
    /// For a thread that takes work out of the queue.
    bool is_too_long(Instant entered) noexcept {
        return longest_.count() != 0 && is_too_long(entered, net::read_instant());
    }
    bool is_too_long(Instant entered, Instant now) noexcept {
        if (now - entered < longest_) {
            stands_since_.store(never, std::memory_order_relaxed);
            return false;
        }
        Instant since = never;
        if (stands_since_.compare_exchange_strong(since, now, std::memory_order_relaxed))
            return false;
        return now - since >= interval;
    }

    /// RFC 8289 3.2: a round trip of most clients.
    static constexpr std::chrono::milliseconds interval{100};

   private:
    const std::chrono::milliseconds longest_;
    std::atomic<Instant> stands_since_{never};  // since then, all work has waited too long
};

}  // namespace weir::engines
