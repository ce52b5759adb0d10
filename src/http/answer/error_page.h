#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "weir/http/response.h"

namespace weir::http {

/// A link on an error page.
struct Way {
    std::string reference;   // RFC 3986 4.1
    std::string_view words;  // HTML
};

/// Does the same as error_response(), and adds links to the page.
Response error_response_with(std::span<const Way> ways, Status status,
                             std::string_view detail = {});

/// A response to a client that may ask again after `wait`. Retry-After has whole seconds (RFC 9110
/// 10.2.3).
Response come_again(Status status, std::chrono::microseconds wait, std::string_view detail = {});

}  // namespace weir::http
