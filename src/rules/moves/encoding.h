#pragma once

#include <string>
#include <string_view>

namespace weir::rules {

/// Appends a decoded path, with every character escaped that means something in a URI or in HTML, but
/// for the slash.
void append_path(std::string& out, std::string_view path);
/// Appends a decoded value of a query or a fragment; only unreserved characters stay (RFC 3986 2.3).
void append_value(std::string& out, std::string_view value);
/// Appends what an operator has written: escapes and delimiters stay, and what cannot be in a URI is
/// escaped.
void append_written(std::string& out, std::string_view text);

}  // namespace weir::rules
