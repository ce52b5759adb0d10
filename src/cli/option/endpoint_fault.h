#pragma once

#include <string>
#include <string_view>

namespace weir::cli {

/// Returns the wrong part of a text that parse_endpoints() does not accept, and a right form: "the
/// port of '127.0.0.1:99999' is above 65535".
std::string endpoint_fault(std::string_view text);

}  // namespace weir::cli
