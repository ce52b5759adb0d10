#pragma once

#include <exception>

#include "weir/http/handler.h"

namespace weir::tests {

/// As a server does around its handler: an engine is promised that handlers throw nothing.
class GuardedHandler final : public http::Handler {
   public:
    explicit GuardedHandler(http::Handler& inner) : inner_{inner} {}

    http::Reply handle(const http::Request& request) override try {
        return inner_.handle(request);
    } catch (const std::exception&) {
        return http::Response{http::Status::internal_server_error};
    }

   private:
    http::Handler& inner_;
};

}  // namespace weir::tests
