#pragma once

#include <memory>
#include <variant>

#include "site/resource.h"
#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::site {

/// Why a resource is not sent; becomes an error page.
struct Refusal {
    http::Status status;     // 406, 412 or 416
    std::uint64_t size = 0;  // with 416: of what was asked for
};

/// The answer to GET or HEAD of a resource: 200, 206 or 304. `owner` keeps the resource.
std::variant<http::Response, Refusal> answer(const http::Request& request, const Resource& resource,
                                             std::shared_ptr<const void> owner);

/// The resource in place of another, with a status of its own.
http::Response answer_as_error(const http::Request& request, http::Status status,
                               const Resource& resource, std::shared_ptr<const void> owner);

}  // namespace weir::site
