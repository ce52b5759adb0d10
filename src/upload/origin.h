#pragma once

#include "weir/http/request.h"

namespace weir::upload {

/// True if a page of another origin makes a browser send the request (CSRF). The browser sends the
/// visitor's passwords with it, from the visitor's address.
bool is_of_another_origin(const http::Request& request) noexcept;

}  // namespace weir::upload
