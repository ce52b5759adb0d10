#pragma once

#include <string>

#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::live {

/// Whether the browser shows the answer as a page, and it can have a script at its end.
enum class Kind : std::uint8_t {
    page,
    may_be_page,  // if it were asked for without its validators, ranges and codings
    other,
};
Kind kind_of(const http::Request& request, const http::Response& response);

/// The page with the script element at its end.
http::Response with_script(http::Response page, std::string element);
/// Another answer, that browsers ask for each time.
http::Response without_age(http::Response response);

}  // namespace weir::live
