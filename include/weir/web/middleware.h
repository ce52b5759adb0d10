#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "weir/web/call.h"
#include "weir/web/response.h"

namespace weir::web {

/// A step around the handlers of many routes: see Router::use(). Several threads may call it at
/// once, for different calls. No call may block.
class Middleware {
   public:
    virtual ~Middleware() = default;
    /// Called before the handler, when the head of the request was read. A response ends the
    /// request here: no further middleware and no handler is called.
    virtual std::optional<Response> before(const Call& /*call*/) { return std::nullopt; }
    /// Called for each response of a handler or of the router under the prefix, and of middleware
    /// that was added later. In reverse order. May change the response. Not called for responses
    /// that a mounted handler gives through a Deferred, nor for those of a handler that throws.
    virtual void after(const Call& /*call*/, Response& /*response*/) {}
};

}  // namespace weir::web
