#pragma once

#include <exception>
#include <span>
#include <string_view>

#include "weir/web/call.h"
#include "weir/web/error.h"

namespace weir::web::detail {

inline constexpr const char* handler_threw = "the handler threw an exception";

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

/// The same, for a part of a handler that refuses the request without an exception.
Response refusal_answer(const Call& call, Status status, std::string_view detail = {});

/// The response to the cause, complete, as the end of the request. If the error is one for the log, or middleware
/// throws, then it throws the response in an http::Failure. It throws std::bad_alloc as well.
Response end_with(CallState& state, Cause cause);

/// The same for the exception that is being handled: the one of a handler, or of middleware.
Response end_with_exception(CallState& state);

/// The same for a callback that has destroyed its call.
Response end_unanswered(CallState& state);

/// The same for all middleware, also for the one that waits for the response itself: that one is
/// not asked any more.
Response end_all_with(CallState& state, Cause cause);

/// The time for the response is over.
Cause timed_out() noexcept;
/// The connection refuses the request. `reason` is static text.
Cause refused(Status status, std::string_view reason) noexcept;

}  // namespace weir::web::detail
