#pragma once

#include <functional>
#include <memory>

#include "site/files/resource.h"
#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::site {

/// Makes the page of a 406, 412 or 416.
using Refuse = std::function<http::Response(http::Status)>;

/// The answer to GET or HEAD of a resource: 200, 206 or 304, or what `refuse` makes of an error.
/// `owner` keeps the resource.
http::Response answer(const http::Request& request, const Resource& resource,
                      std::shared_ptr<const void> owner, const Refuse& refuse);

/// The resource in place of another, with a status of its own. Its fields are those of its content
/// alone: the rules' are those of the path that was asked for.
http::Response answer_as_error(const http::Request& request, http::Status status,
                               const Resource& resource, std::shared_ptr<const void> owner);

}  // namespace weir::site
