#pragma once

#include <string>
#include <string_view>

namespace weir::rules {

/// Appends a decoded path. Escapes every character with a meaning in a URI or in HTML, except the
/// slash.
void append_path(std::string& out, std::string_view path);
/// Appends a decoded value of a query or a fragment; only unreserved characters stay (RFC 3986
/// 2.3).
void append_value(std::string& out, std::string_view value);
/// Appends the text of an operator: escapes and delimiters stay, and characters that cannot be in a
/// URI are escaped.
void append_written(std::string& out, std::string_view text);

}  // namespace weir::rules
