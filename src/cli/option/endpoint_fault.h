#pragma once

#include <string>
#include <string_view>

namespace weir::cli {

/// Which part of a text is wrong that parse_endpoints() does not take, and what would be right:
/// "the port of '127.0.0.1:99999' is above 65535".
std::string endpoint_fault(std::string_view text);

}  // namespace weir::cli
