#pragma once

#include "site/listing/listing.h"
#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::site {

/// The listing as JSON or as a page. Without content if a precondition does not hold: 304, or 412,
/// for which the site has a page.
http::Response answer_with_listing(const http::Request& request, const Listing& listing, bool json);

}  // namespace weir::site
