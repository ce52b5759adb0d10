#pragma once

#include <string>
#include <string_view>

namespace weir::http {

/// As text of an element, or as the value of an attribute in quotes of either kind.
void append_html(std::string& out, std::string_view text);

}  // namespace weir::http
