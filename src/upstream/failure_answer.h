#pragma once

#include <string_view>

#include "http/client/exchange.h"
#include "weir/http/status.h"

namespace weir::upstream {

/// The answer of this server, if another one did not answer.
struct FailureAnswer {
    http::Status status;
    std::string_view sentence;  // without its full stop
};

constexpr FailureAnswer answer_to(http::client::Failure failure) noexcept {
    using enum http::client::Failure;
    using enum http::Status;
    switch (failure) {
        case timed_out:
            return {gateway_timeout, "The server behind this one did not answer in time"};
        case malformed: return {bad_gateway, "The server behind this one does not speak HTTP/1.1"};
        case too_large:
            return {bad_gateway, "The response of the server behind this one has too large a head"};
        case busy: return {service_unavailable, "The server behind this one has too many requests"};
        case insecure:
            return {bad_gateway, "The server behind this one has no certificate to be trusted"};
        case stopped: return {service_unavailable, "This server stops"};
        case out_of_memory: return {service_unavailable, "This server is short of memory"};
        case closed:
        case stale: return {bad_gateway, "The server behind this one closed the connection"};
        case none:
        case unreachable: break;
    }
    return {bad_gateway, "The server behind this one cannot be reached"};
}

}  // namespace weir::upstream
