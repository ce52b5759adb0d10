#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "http/observer.h"
#include "net/clock.h"
#include "server/log/access_log.h"
#include "server/log/finished_hook.h"
#include "server/metrics/recorder.h"

namespace weir::server {

/// The output for each request: an access log, lines on standard output, a function of the program,
/// counters, any of them or nothing.
class RequestLogs final : public http::Observer {
   public:
    std::unique_ptr<AccessLog> log;      // null: none
    std::unique_ptr<AccessLog> shown;    // null: none
    std::unique_ptr<FinishedHook> hook;  // null: none
    std::unique_ptr<Recorder> recorder;  // null: none

    /// The observer of responses; null if there is no output.
    http::Observer* observer() noexcept {
        const bool is_any = std::ranges::any_of(outputs(), [](auto* each) { return each; });
        return is_any ? this : nullptr;
    }
    /// An engine reads the clock once per wake-up, so its time is that of the request's first byte
    /// where a request is answered at once. The end is read here.
    void answered(const http::Answered& at_wake_up) noexcept override {
        http::Answered answered = at_wake_up;
        answered.now.instant = net::read_instant();
        if (log || shown) {
            const net::WallTime wall = net::read_wall_clock();
            answered.now.unix_seconds = wall.unix_seconds;
            answered.microseconds = wall.microseconds;
        }
        for (http::Observer* const output : outputs())
            if (output != nullptr) output->answered(answered);
    }
    bool counts_active() const noexcept override { return recorder != nullptr; }
    void begun(std::uint32_t requests) noexcept override {
        if (recorder) recorder->begun(requests);
    }
    void dropped() noexcept override {
        if (recorder) recorder->dropped();
    }

   private:
    std::array<http::Observer*, 4> outputs() const noexcept {
        return {log.get(), shown.get(), hook.get(), recorder.get()};
    }
};

}  // namespace weir::server
