#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "weir/http/status.h"

namespace weir::site {

/// Turns the path of a request-target into the one that files are looked up by: decoded once,
/// without `.` and `..` segments, without empty ones, `/` first; a last `/` stays.
///
/// What it refuses, and why:
/// - 400 for a malformed escape ("%", "%4x") and for NUL, which no path can carry;
/// - 404 for an encoded slash (no file name has one; decoded, it would move a border that
///   somebody in front may have checked) and for `..` past the root, where nothing is.
/// A backslash is a character like any other. "%2e" is a dot (RFC 3986 6.2.2.2).
///
/// `buffer` must be as long as `target`; the result lies in it.
std::expected<std::string_view, http::Status> target_path(std::string_view target,
                                                          std::span<char> buffer) noexcept;

/// Whether a segment of a path starts with a dot; /.well-known does not count (RFC 8615).
bool is_hidden(std::string_view path) noexcept;

/// Appends `path` with everything escaped that has a meaning of its own in a URI, or in HTML.
void append_encoded(std::string& out, std::string_view path);

}  // namespace weir::site
