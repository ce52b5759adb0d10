#pragma once

#include "weir/http/handler.h"
#include "weir/server/log.h"

namespace weir::server {

/// Wraps the user's handler, so that no exception reaches the engine. If the handler throws, the
/// peer gets a 500, and a 503 where it ran out of memory. If a sink or a source throws later, the connection fails. Each exception is
/// logged, together with its request.
class GuardedHandler final : public http::Handler {
   public:
    /// Both must outlive it.
    GuardedHandler(http::Handler& handler, Log& log) : handler_{handler}, log_{log} {}

    http::Reply handle(const http::Request& request) noexcept override;

   private:
    http::Reply pass_on(const http::Request& request);
    http::Reply report_and_apologize(const http::Request& request) noexcept;
    static http::Reply without_memory() noexcept;

    http::Handler& handler_;
    Log& log_;
};

}  // namespace weir::server
