#pragma once

#include <string>
#include <string_view>

namespace weir::site {

/// Appends a JSON string with its quotes. File names are bytes: bytes that are not UTF-8 become
/// U+FFFD. What cannot be seen, or reorders what a terminal shows, is escaped.
void append_json(std::string& out, std::string_view text);

}  // namespace weir::site
