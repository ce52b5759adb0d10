#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "weir/web/call.h"
#include "weir/web/response.h"

namespace weir::web {

namespace detail {
class Around;
}

/// A step around the handlers of many routes: see Router::use(). Several threads may call it at
/// once, for different calls. No call may block.
class Middleware {
   public:
    virtual ~Middleware() = default;
    /// Called before the handler, when the head of the request was read. A response ends the
    /// request here: no further middleware and no handler is called. So does an exception; see
    /// Router::on_error().
    virtual std::optional<Response> before(const Call& /*call*/) { return std::nullopt; }
    /// Called for each response of a handler or of the router under the prefix, of middleware that
    /// was added later, and of Router::on_error(). In reverse order. May change the response. Not
    /// called for responses that a mounted handler gives through a Deferred.
    virtual void after(const Call& /*call*/, Response& /*response*/) {}
    /// For the table of Router::routes(). Static.
    virtual std::string_view name() const noexcept { return "middleware"; }

    /// For this library.
    virtual detail::Around* around() noexcept { return nullptr; }
};

}  // namespace weir::web
