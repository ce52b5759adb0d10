#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "site/files/resource.h"
#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::site {

/// Makes the response for a 406, 412 or 416.
using Refuse = std::function<http::Response(http::Status)>;

/// The response to GET or HEAD of a resource: 200, 206 or 304, or the result of `refuse` for an
/// error. `owner` keeps the resource alive.
http::Response answer(const http::Request& request, const Resource& resource,
                      std::shared_ptr<const void> owner, const Refuse& refuse);

/// The response to an error, with `resource` as its page. It has only the fields of the page's
/// content: the field rules apply to the path of the request, not to that of the page.
http::Response answer_as_error(const http::Request& request, http::Status status,
                               const Resource& resource, std::shared_ptr<const void> owner);

/// The redirect from `path`, a result of target_path(), to the path `to`.
http::Response answer_moved(const http::Request& request, std::string_view path,
                            std::string_view to);

}  // namespace weir::site
