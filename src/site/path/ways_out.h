#pragma once

#include <string_view>
#include <vector>

#include "http/answer/error_page.h"
#include "weir/http/request.h"

namespace weir::site {

/// Links for an address without content: to the folder above it, and to the root.
std::vector<http::Way> ways_out(const http::Request& request);

}  // namespace weir::site
