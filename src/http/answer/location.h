#pragma once

#include <string>
#include <string_view>

namespace weir::http {

/// Returns the value of Location (RFC 9110 10.2.2) for a URI reference. Every Location of weir
/// comes from this function. A browser reads a backslash as a slash, and ignores tabs and line ends
/// (URL Standard 4.4): "/\host" and "/<tab>/host" become "//host", which is another host (RFC 3986
/// 4.2). So the function percent-encodes all bytes that no URI has (RFC 3986 2), and keeps one of
/// several slashes at the start. Escapes in `reference` stay as they are.
std::string location_from(std::string_view reference);

}  // namespace weir::http
