#pragma once

#include <string>
#include <string_view>

namespace weir::http {

/// Escapes `text` for use as text of an element, or as an attribute value in either kind of quotes.
void append_html(std::string& out, std::string_view text);

}  // namespace weir::http
