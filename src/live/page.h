#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::live {

/// The way in which a browser uses the response. Only a page can have a script at its end.
enum class Kind : std::uint8_t {
    page,
    may_be_page,  // without the request's validators, ranges and codings
    other,
};
Kind kind_of(const http::Request& request, const http::Response& response);

/// The page with the script element, which has this nonce, at its end.
http::Response with_script(http::Response page, std::string element, std::string_view nonce);
/// A response that browsers ask for each time, and whose policy lets a page run the script.
http::Response kept_fresh(http::Response response, std::string_view nonce);

}  // namespace weir::live
