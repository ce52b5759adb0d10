#pragma once

#include <exception>
#include <span>
#include <string_view>

#include "weir/web/call.h"
#include "weir/web/refusal.h"
#include "weir/web/response.h"

namespace weir::web {

/// The reason for a response that no handler has given; see Router::on_error(). Borrowed for the
/// call of its function.
struct Error {
    enum class Kind : unsigned char {
        refused,     // a Refusal; also of websocket(), resource() and unmet_condition()
        threw,       // another exception: 500
        no_route,    // 404; 405 if the address has other methods; 400 if the path is malformed
        unknown,     // basic_auth() or bearer_auth() does not know the user: 401
        limited,     // rate_limit(): 429
        unanswered,  // a callback destroyed its Call without a response: 500
        too_long,    // the content is longer than its limit: 413
        too_slow,    // the content takes too long to arrive: 408
        malformed,   // the framing of the content is: 400
        timed_out,   // time_limit(), or http::Timeouts::handler: 503
    };

    const Call& call;
    Kind kind;
    Status status;
    /// For the peer: a sentence without its full stop, or empty. It tells nothing of an exception
    /// but what a Refusal says.
    std::string_view detail{};
    std::span<const Violation> violations{};  // of a Refusal
    std::exception_ptr exception{};           // of `refused` and `threw`
};

/// A small page for people, or a problem (RFC 9457) if Accept prefers JSON to HTML. `detail` is one
/// sentence of plain text without its full stop; if it is empty, the page explains the status. A
/// problem has `violations` as "errors": [{"name": "title", "message": "must not be empty"}].
Response error_answer(const Call& call, Status status, std::string_view detail = {},
                      std::span<const Violation> violations = {});

}  // namespace weir::web
