#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "http/observer.h"
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

    /// The observer of responses; null if there is no output. Valid until the logs change.
    http::Observer* observer() noexcept {
        const auto all = outputs();
        const auto first =
            std::ranges::find_if(all, [](auto* output) { return output != nullptr; });
        if (first == all.end()) return nullptr;
        const bool is_only = std::all_of(first + 1, all.end(), [](auto* each) { return !each; });
        return is_only ? *first : this;
    }
    void answered(const http::Answered& answered) noexcept override {
        for (http::Observer* const output : outputs())
            if (output != nullptr) output->answered(answered);
    }

   private:
    std::array<http::Observer*, 4> outputs() const noexcept {
        return {log.get(), shown.get(), hook.get(), recorder.get()};
    }
};

}  // namespace weir::server
