#pragma once

#include <string>
#include <string_view>

namespace weir::site {

/// Appends a JSON string with its quotes. Bytes of a file name that are not UTF-8 become U+FFFD.
/// Characters that are invisible, or that reorder the text of a terminal, are escaped.
void append_json(std::string& out, std::string_view text);

}  // namespace weir::site
