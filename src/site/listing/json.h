#pragma once

#include <string>
#include <string_view>

namespace weir::site {

/// A JSON string with its quotes. File names are bytes: what is not UTF-8 becomes U+FFFD.
void append_json(std::string& out, std::string_view text);

}  // namespace weir::site
