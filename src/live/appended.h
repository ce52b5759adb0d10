#pragma once

#include <string>

#include "weir/http/response.h"

namespace weir::live {

/// The content with `text` behind it. Borrowed parts stay borrowed.
http::Response::Content appended(http::Response::Content content, std::string text);

}  // namespace weir::live
