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

/// True if there was no connection that could be used, or if it closed too early: another server
/// may do better.
constexpr bool is_of_connection(Failure failure) noexcept {
    using enum Failure;
    switch (failure) {
        case unreachable:
        case insecure:
        case unknown_ca:
        case wrong_host:
        case out_of_date:
        case closed: return true;
        case none:
        case busy:
        case stale:
        case malformed:
        case too_large:
        case timed_out:
        case stopped:
        case out_of_memory: break;
    }
    return false;
}

/// As may_repeat(), for another server.
constexpr bool may_go_elsewhere(const SharedExchange::Seen& seen, bool is_repeatable) noexcept {
    return is_of_connection(seen.failure) && (!seen.was_sent || is_repeatable);
}

}  // namespace weir::upstream
