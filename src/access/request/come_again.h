#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "weir/http/handler.h"

namespace weir::access {

/// A response to a client that may ask again after `wait`. Retry-After has whole seconds (RFC 9110
/// 10.2.3).
inline http::Response come_again(http::Status status, std::chrono::microseconds wait) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait);
    return std::move(
        http::error_response(status).add("Retry-After", std::to_string(seconds.count())));
}

}  // namespace weir::access
