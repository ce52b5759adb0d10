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
        case too_large: return {bad_gateway, "The server behind this one sends too large a head"};
        case busy: return {service_unavailable, "The server behind this one has too many requests"};
        case insecure: return {bad_gateway, "The server behind this one does not speak TLS"};
        case unknown_ca:
            return {bad_gateway,
                    "The server behind this one has a certificate that is not trusted here"};
        case wrong_host:
            return {bad_gateway, "The server behind this one has a certificate for another host"};
        case out_of_date:
            return {bad_gateway,
                    "The server behind this one has a certificate that is not valid today"};
        case stopped: return {service_unavailable, "This server stops"};
        case out_of_memory: return {service_unavailable, "This server is short of memory"};
        case closed:
        case stale: return {bad_gateway, "The server behind this one closed the connection"};
        case none:
        case unreachable: break;
    }
    return {bad_gateway, "The server behind this one cannot be reached"};
}

/// For the operator: "cannot be reached". Empty if the failure is not one of the other server.
constexpr std::string_view fault_of(http::client::Failure failure) noexcept {
    constexpr std::string_view subject = "The server behind this one ";
    const std::string_view sentence = answer_to(failure).sentence;
    return sentence.starts_with(subject) ? sentence.substr(subject.size()) : std::string_view{};
}

}  // namespace weir::upstream
