#pragma once

#include <cstdint>
#include <string_view>

#include "site/types/media_types.h"
#include "weir/http/request.h"

namespace weir::site {

/// The meaning of a path without a file, for an application that routes in the browser.
enum class Address : std::uint8_t {
    route,   // "/users/7"
    asset,   // "/app.js": a file that is missing, and should be a 404
    either,  // "/users/jane.doe": the request decides
};

Address address_of(std::string_view path, const MediaTypes& types);

/// True if the browser goes to a page: Accept names HTML, and no other type has a higher weight. A
/// request for a part of a page has "*/*", or types of the part's kind.
bool is_navigation(const http::Request& request);

}  // namespace weir::site
