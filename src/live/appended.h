#pragma once

#include <string>

#include "weir/http/response.h"

namespace weir::live {

/// The content with `text` behind it. What it borrows stays borrowed.
http::Response::Content appended(http::Response::Content content, std::string text);

}  // namespace weir::live
