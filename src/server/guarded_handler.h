#pragma once

#include "weir/http/handler.h"
#include "weir/server/log.h"

namespace weir::server {

/// Stands between the engine and the user's handler, so that no exception leaves it: what the
/// handler throws becomes a 500; what its sinks and sources throw later fails their connection.
/// Each is logged, with the request that it came from.
class GuardedHandler final : public http::Handler {
   public:
    /// Both live longer.
    GuardedHandler(http::Handler& handler, Log& log) : handler_{handler}, log_{log} {}

    http::Reply handle(const http::Request& request) noexcept override;

   private:
    http::Reply pass_on(const http::Request& request);

    http::Handler& handler_;
    Log& log_;
};

}  // namespace weir::server
