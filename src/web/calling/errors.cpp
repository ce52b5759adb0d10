#include "web/calling/errors.h"

#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/quoted.h"
#include "http/syntax/utf8.h"
#include "web/calling/chain.h"
#include "web/routing/route.h"
#include "weir/http/handler.h"
#include "weir/web/refusal.h"
#include "weir/web/resource.h"

namespace weir::web {
namespace {

/// The member "errors" of a problem; empty if there are no violations.
std::string members_of(std::span<const Violation> violations) {
    if (violations.empty()) return {};
    std::string json = "\"errors\": [";
    for (const Violation& one : violations) {
        json += json.ends_with('[') ? "{\"name\": " : ", {\"name\": ";
        append_quoted(json, http::as_utf8(one.name));
        append_quoted(json += ", \"message\": ", http::as_utf8(one.message));
        json += '}';
    }
    return json += ']';
}

/// The end of a request with this response, or with the one to its cause.
Response finish(detail::CallState& state, detail::Cause cause, std::optional<Response> response) {
    // A further way in has no function of the program, and less middleware.
    for (bool asks = true;; asks = false) {
        try {
            if (!response)
                response = asks ? detail::response_to(state, cause)
                                : error_answer(Call{state}, Status::internal_server_error);
            detail::complete(state, *response);
            break;
        } catch (const std::bad_alloc&) {
            throw;
        } catch (...) {
            cause.logged = detail::handler_threw;
            cause.exception = std::current_exception();
            response.reset();
        }
    }
    if (cause.logged == nullptr) return std::move(*response);
    throw http::Failure{cause.logged, std::move(cause.exception), std::move(*response)};
}

}  // namespace

Response error_answer(const Call& call, Status status, std::string_view detail,
                      std::span<const Violation> violations) {
    constexpr std::string_view json = "application/json";
    constexpr std::string_view problem_json = "application/problem+json";
    const std::string_view best = accepted(call, {"text/html", problem_json, json});
    Response response = best != json && best != problem_json
                            ? http::error_response(status, detail)
                            : problem({.status = status,
                                       .detail = std::string{detail},
                                       .members = members_of(violations)});
    response.add("Vary", "Accept");
    return response;
}

Response detail::response_to(CallState& state, const Cause& cause) {
    const Call view{state};
    std::optional<Response> response;
    if (const auto& on_error = state.route->common->on_error)
        response = on_error({.call = view,
                             .kind = cause.kind,
                             .status = cause.status,
                             .detail = cause.detail,
                             .violations = cause.violations,
                             .exception = cause.exception});
    if (!response) response = error_answer(view, cause.status, cause.detail, cause.violations);
    if (!cause.allow.empty()) response->set("Allow", cause.allow);
    return std::move(*response);
}

Response detail::refusal_answer(const Call& call, Status status, std::string_view detail) {
    return response_to(
        call.state(), {.kind = Error::Kind::refused,
                       .status = status,
                       .detail = detail,
                       .exception = std::make_exception_ptr(Refusal{status, std::string{detail}})});
}

Response detail::end_with(CallState& state, Cause cause) {
    return finish(state, std::move(cause), std::nullopt);
}

Response detail::end_with_exception(CallState& state) {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (http::Failure& failure) {
        return finish(state,
                      {.kind = Error::Kind::threw,
                       .status = failure.response.status(),
                       .logged = failure.text,
                       .exception = failure.cause},
                      std::move(failure.response));
    } catch (const Refusal& refusal) {
        return end_with(state, {.kind = Error::Kind::refused,
                                .status = refusal.status(),
                                .detail = refusal.what(),
                                .violations = refusal.violations(),
                                .exception = std::current_exception()});
    } catch (...) {
        return end_with(state, {.kind = Error::Kind::threw,
                                .status = Status::internal_server_error,
                                .logged = detail::handler_threw,
                                .exception = std::current_exception()});
    }
}

Response detail::end_unanswered(CallState& state) {
    return end_with(state, {.kind = Error::Kind::unanswered,
                            .status = Status::internal_server_error,
                            .logged = "the handler destroyed its Call without a response"});
}

Response detail::end_all_with(CallState& state, Cause cause) {
    state.around = 0;
    return end_with(state, std::move(cause));
}

detail::Cause detail::timed_out() noexcept {
    return {.kind = Error::Kind::timed_out,
            .status = Status::service_unavailable,
            .detail = "The server took too long to answer this request",
            .logged = "the handler took too long"};
}

detail::Cause detail::refused(Status status, std::string_view reason) noexcept {
    const auto kind = [status] {
        switch (status) {
            case Status::content_too_large: return Error::Kind::too_long;
            case Status::request_timeout: return Error::Kind::too_slow;
            case Status::service_unavailable: return Error::Kind::timed_out;
            default: return Error::Kind::malformed;
        }
    };
    return {.kind = kind(), .status = status, .detail = reason};
}

}  // namespace weir::web
