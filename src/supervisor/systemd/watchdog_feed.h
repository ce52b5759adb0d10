#pragma once

#include <chrono>

#include "supervisor/systemd/notifier.h"
#include "weir/base/now.h"

namespace weir::supervisor {

/// Passes on the signs of life of the generation that serves. While none serves, the supervisor
/// gives them, twice in each period of the watchdog.
class WatchdogFeed {
   public:
    /// `watchdog`: the period; 0: systemd does not watch.
    WatchdogFeed(const Notifier& notifier, std::chrono::microseconds watchdog) noexcept
        : notifier_{notifier}, half_{ceil<std::chrono::milliseconds>(watchdog) / 2} {}

    /// The time for the next look().
    Instant next() const noexcept { return next_; }
    /// In each turn. `is_alive`: a sign of life has come.
    void look(bool is_alone, bool is_alive, Instant now) noexcept {
        if (half_.count() == 0) return;
        if (!is_alone) next_ = never;
        const bool is_due = is_alone && (next_ == never || now >= next_);
        if (is_due) next_ = now + half_;
        if (is_due || is_alive) notifier_.send("WATCHDOG=1");
    }

   private:
    const Notifier& notifier_;
    std::chrono::milliseconds half_;
    Instant next_ = never;
};

}  // namespace weir::supervisor
