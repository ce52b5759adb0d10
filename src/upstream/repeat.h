#pragma once

#include "upstream/shared_exchange.h"
#include "weir/http/method.h"

namespace weir::upstream {

/// RFC 9110 9.2.2
constexpr bool is_idempotent(http::Method method) noexcept {
    using enum http::Method;
    switch (method) {
        case get:
        case head:
        case put:
        case delete_:
        case options:
        case trace: return true;
        case post:
        case connect:
        case patch:
        case unknown: break;
    }
    return false;
}

/// True if the request of a failed exchange may be given to another connection: nothing that a
/// server may have acted on is sent twice, unless that does no harm. `is_repeatable`: the method is
/// idempotent, and all of the request is there.
constexpr bool may_repeat(const SharedExchange::Seen& seen, bool is_repeatable) noexcept {
    const bool is_stale = seen.failure == Failure::stale;
    const bool may_be_sent = !seen.was_sent || (is_stale && is_repeatable);
    return may_be_sent && (is_stale || seen.failure == Failure::unreachable);
}

}  // namespace weir::upstream
