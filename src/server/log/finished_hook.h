#pragma once

#include <functional>
#include <new>

#include "base/troubles.h"
#include "http/observer.h"
#include "weir/server/finished.h"
#include "weir/server/log.h"

namespace weir::server {

/// Tells the program of each finished request.
class FinishedHook final : public http::Observer {
   public:
    using Function = std::function<void(const Finished&)>;

    /// Both must outlive the hook.
    FinishedHook(const Function& function, Log& errors) noexcept
        : function_{function}, errors_{errors} {}

    void answered(const http::Answered& answered) noexcept override try {
        function_({.request = answered.request,
                   .origin = answered.origin,
                   .status = answered.status,
                   .outcome = answered.outcome,
                   .content_bytes = answered.content_bytes,
                   .duration = answered.now.instant - answered.began});
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
    } catch (...) {
        errors_.write(Severity::error, "the function of Options::finished threw an exception");
    }

   private:
    const Function& function_;
    Log& errors_;
};

}  // namespace weir::server
