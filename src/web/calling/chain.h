#pragma once

#include <memory>
#include <optional>

#include "web/routing/route.h"
#include "weir/web/call.h"

/// The middleware around a request, and its handler.
namespace weir::web::detail {

/// Calls middleware in order, until one responds, or one has to wait for the response itself: that
/// one has not been called then.
std::optional<Response> run_before(CallState& call);

/// Calls the middleware that has let the request pass, from the innermost to the outermost. It may
/// throw; the next call goes on behind the one that has thrown.
void complete(CallState& call, Response& response);

/// The reply of a handler that is called at the head of the request, or that is mounted.
http::Reply reply_of(Endpoint& endpoint, CallState& call);

/// Calls the handler, which is a callback. The response that it has given holds, also if it throws
/// behind that.
void hand_over(const std::shared_ptr<Conversation>& conversation);

/// Where the reply asks for content: the limit by middleware holds, unless the handler has its own.
http::Reply limited(http::Reply&& reply, const CallState& call) noexcept;

/// The response of the middleware that waits for it, or of the handler behind all middleware.
Task<Response> rest_of(const std::shared_ptr<Conversation>& conversation);

}  // namespace weir::web::detail
