#pragma once

#include "http/content/failure_observer.h"
#include "weir/http/handler.h"
#include "weir/server/log.h"

namespace weir::server {

/// Wraps the user's handler, so that no exception reaches the engine: if the handler throws, the
/// peer gets a 500, or a 503 if memory ran out. Logs each exception together with its request, and
/// also the failures that connections report.
class GuardedHandler final : public http::Handler, public http::FailureObserver {
   public:
    /// Both must outlive the guarded handler.
    GuardedHandler(http::Handler& handler, Log& log) : handler_{handler}, log_{log} {}

    http::Reply handle(const http::Request& request) noexcept override;
    void failed(std::string_view what, std::string_view request,
                std::exception_ptr cause) noexcept override;

   private:
    http::Handler& handler_;
    Log& log_;
};

}  // namespace weir::server
