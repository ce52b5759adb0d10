#pragma once

#include <exception>
#include <span>
#include <string_view>

#include "weir/web/call.h"
#include "weir/web/error.h"

namespace weir::web::detail {

/// The reason for a response to an error.
struct Cause {
    Error::Kind kind;
    Status status;
    std::string_view detail{};
    const char* logged = nullptr;  // static; null: nothing
    std::string_view allow{};      // the methods of a 405
    std::span<const Violation> violations{};
    std::exception_ptr exception{};
};

/// The response from the function of Router::on_error(), or the usual one.
Response response_to(CallState& state, const Cause& cause);

/// The same, complete, as the end of the request. If the error is one for the log, or middleware
/// throws, then it throws the response in an http::Failure. It throws std::bad_alloc as well.
Response end_with(CallState& state, Cause cause);

/// The same for the exception that is being handled: the one of a handler, or of middleware.
Response end_with_exception(CallState& state);

/// The same for a callback that has destroyed its call, and for a request whose time is over.
Response end_unanswered(CallState& state);
Response end_timed_out(CallState& state);

/// The same for a request that the connection refuses.
Response end_refused(CallState& state, Status status, std::string_view reason);

}  // namespace weir::web::detail
