#pragma once

#include <string>
#include <string_view>

namespace weir::http {

/// The value of Location (RFC 9110 10.2.2) for a URI reference. Every Location of weir comes from
/// here. A browser takes a backslash for a slash, and drops tabs and line ends (URL Standard 4.4):
/// it reads "/\host" and "/<tab>/host" as "//host", which is another host (RFC 3986 4.2). So all
/// bytes that no URI has are percent-encoded (RFC 3986 2), and of several slashes at the start one
/// stays. Escapes in `reference` stay as they are.
std::string location_from(std::string_view reference);

}  // namespace weir::http
