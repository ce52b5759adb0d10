#pragma once

#include "http/content/failure_observer.h"
#include "weir/http/handler.h"
#include "weir/server/log.h"

namespace weir::server {

/// The user's handler, of which no exception reaches the engine: if it throws, the peer gets a 500,
/// or a 503 where it ran out of memory. Logs each exception, together with its request, and those
/// that connections tell of.
class GuardedHandler final : public http::Handler, public http::FailureObserver {
   public:
    /// Both must outlive it.
    GuardedHandler(http::Handler& handler, Log& log) : handler_{handler}, log_{log} {}

    http::Reply handle(const http::Request& request) noexcept override;
    void failed(std::string_view code, std::string_view request,
                std::exception_ptr exception) noexcept override;

   private:
    http::Handler& handler_;
    Log& log_;
};

}  // namespace weir::server
