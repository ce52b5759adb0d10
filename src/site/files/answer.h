#pragma once

#include <functional>
#include <memory>

#include "site/files/resource.h"
#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::site {

/// Makes the answer for a 406, 412 or 416.
using Refuse = std::function<http::Response(http::Status)>;

/// The answer to GET or HEAD of a resource: 200, 206 or 304, or what `refuse` makes for an error.
/// `owner` keeps the resource alive.
http::Response answer(const http::Request& request, const Resource& resource,
                      std::shared_ptr<const void> owner, const Refuse& refuse);

/// Answers with `resource` as the page of an error. The answer has only the fields of its content:
/// the field rules apply to the path of the request, not to that of the page.
http::Response answer_as_error(const http::Request& request, http::Status status,
                               const Resource& resource, std::shared_ptr<const void> owner);

}  // namespace weir::site
